import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Milliseconds. */
interface EndLimits {
  /** For bodies in transit: a tablet on a bad link would delay shutdown for minutes, and repeats the request anyway. */
  readonly bodies: number;
  /** For everything. Service managers kill after 30 s or later. */
  readonly all: number;
}

const LIMITS: EndLimits = { bodies: 5000, all: 24_000 };

/**
 * Shuts down on SIGTERM and SIGINT: accepts no new connections, finishes requests in flight, then closes the database. Cuts off
 * whatever does not finish in time: it was never acknowledged. Call before the server listens.
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
