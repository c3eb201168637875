import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Milliseconds after the signal. */
interface EndLimits {
  /** For connections without a request: nothing, or only part of its headers, has arrived. */
  readonly idle: number;
  /** For bodies and answers in transit: a tablet on a bad link would delay shutdown for minutes, and repeats the request anyway. */
  readonly transit: number;
  /** For everything. Service managers kill after 30 s or later. */
  readonly all: number;
}

const LIMITS: EndLimits = { idle: 1000, transit: 4000, all: 24_000 };

/** The latest request of a connection, and its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Shuts down on SIGTERM and SIGINT: accepts no new connections, finishes requests in flight, then closes the database. Cuts off
 * whatever does not finish in time: it was never acknowledged, or its answer can be asked for again. So only work on a request that
 * has arrived may take longer than the first two limits. Call before the server listens.
 */
export function stopOnSignal(app: FastifyInstance, limits = LIMITS): void {
  const connections = new Map<Socket, Exchange | undefined>();
  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    connections.set(socket, { request, response });
    response.once('close', () => {
      if (connections.get(socket)?.response === response) connections.set(socket, undefined);
    });
  });
  const cutOff = (mayStay: (exchange: Exchange) => boolean) => {
    for (const [socket, exchange] of connections) if (exchange === undefined || !mayStay(exchange)) socket.destroy();
  };
  const stop = () => {
    setTimeout(cutOff, limits.idle, () => true).unref();
    setTimeout(() => setInterval(cutOff, limits.idle, isAtWork).unref(), limits.transit - limits.idle).unref();
    setTimeout(() => process.exit(1), limits.all).unref();
    void app.close().then(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}

/** True while this server works on a request that has arrived. */
function isAtWork({ request, response }: Exchange): boolean {
  return request.complete && !response.headersSent;
}
