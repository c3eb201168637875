import type { ClientBase } from 'pg';

/**
 * The advisory lock of an installation. Every connection of a server or command holds it shared, from its first statement to its end.
 * Whoever replaces the content of the database holds it alone. An arbitrary number, unique to this program within a database.
 */
export const INSTALLATION = 7_215_402_664;

/** The content of the database is being replaced. */
export class BeingReplaced extends Error {
  constructor() {
    super('A restore or move is replacing the content of the database.');
  }
}

/** Takes a connection's share of the installation. Throws BeingReplaced. */
export async function share(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_lock_shared(${INSTALLATION}) AS taken`,
  );
  if (rows[0]?.taken !== true) throw new BeingReplaced();
}
