import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** In milliseconds. */
interface EndLimits {
  /** For bodies that still arrive: a tablet on a bad link would hold the end for minutes, and sends again anyway. */
  readonly bodies: number;
  /** For everything. Service managers kill after 30 s or later. */
  readonly all: number;
}

const LIMITS: EndLimits = { bodies: 5000, all: 24_000 };

/**
 * Ends on SIGTERM and SIGINT: no new connections, what is in flight is finished, then the database is closed. What does not
 * finish in time is cut off; it was not acknowledged. Called before the server listens.
 */
export function stopOnSignal(app: FastifyInstance, limits = LIMITS): void {
  const arriving = new Set<IncomingMessage>();
  app.server.on('request', (request: IncomingMessage) => {
    arriving.add(request);
    request.once('close', () => arriving.delete(request));
  });
  const stop = () => {
    setTimeout(() => cutOff(arriving), limits.bodies).unref();
    setTimeout(() => process.exit(1), limits.all).unref();
    void app.close().then(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}

function cutOff(requests: ReadonlySet<IncomingMessage>): void {
  for (const request of requests) if (!request.complete) request.socket.destroy();
}
