/**
 * Prefix of the cookies for storage loss detection. A device stores notes outside its database, by which it later detects
 * that the database was deleted. The server sets the received cookies again, because server cookies outlive the week after
 * which Safari clears what scripts have written.
 */
export const NOTE_COOKIE = 'voltdesk_note_';

/** Lifetime of the cookies: the longest that browsers allow. Seconds. */
export const NOTE_LASTS = 400 * 24 * 60 * 60;
