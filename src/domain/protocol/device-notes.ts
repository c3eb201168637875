/**
 * What a device notes outside its database, by which it knows later that its database was thrown away, is in cookies of this
 * beginning too. The server sets those that it is sent anew: a cookie of a server outlives the week after which Safari clears what
 * scripts have written.
 */
export const NOTE_COOKIE = 'voltdesk_note_';

/** Seconds: as long as browsers keep a cookie at most. */
export const NOTE_LASTS = 400 * 24 * 60 * 60;
