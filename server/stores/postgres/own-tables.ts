/**
 * Durable tables that only PostgreSQL has. They are neither moved nor backed up with the records: files move one by one,
 * devices send staged uploads again, and the latest backup belongs to the source database. UNLOGGED tables are left out
 * anyway.
 */
export const OWN_TABLES: readonly string[] = [
  'stored_files',
  'stored_pieces',
  'staged_uploads',
  'staged_pieces',
  'last_backup',
];
