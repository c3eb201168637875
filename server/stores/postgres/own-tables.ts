/**
 * Tables that last and that PostgreSQL alone has: neither moved nor backed up with the records. Files are moved one by one; uploads ahead of
 * their changes are sent again by their devices; the newest backup is that of another database. What is UNLOGGED is left out by itself.
 */
export const OWN_TABLES: readonly string[] = [
  'stored_files',
  'stored_pieces',
  'staged_uploads',
  'staged_pieces',
  'last_backup',
];
