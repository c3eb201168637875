/** The name of the outbox database. Its existence shows that the device was used before, without opening it. */
export const OUTBOX_DATABASE = 'voltdesk-outbox';
