/** The outbox's database, by which a device that was used before is known without opening it. */
export const OUTBOX_DATABASE = 'voltdesk-outbox';
