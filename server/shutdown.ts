import type { FastifyInstance } from 'fastify';

/** Service managers kill after 30 s or later; what is in flight has until then. In milliseconds. */
const LONGEST_END = 24_000;

/**
 * Ends on SIGTERM and SIGINT: no new connections, what is in flight is finished, then the database is closed. What does not
 * finish in time is cut off; it was not acknowledged.
 */
export function stopOnSignal(app: FastifyInstance, longest = LONGEST_END): void {
  const stop = () => {
    setTimeout(() => process.exit(1), longest).unref();
    void app.close().then(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}
