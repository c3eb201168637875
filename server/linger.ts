import type { FastifyInstance } from 'fastify';

/**
 * An answer that comes before the end of its request's body has to survive the end of its connection: a connection that is
 * closed over bytes that nobody read is reset, and the reset may overtake the answer. So the server closes its own half, drops
 * what still comes, and closes the rest when the body ends, the sender hangs up, or `time` milliseconds are over
 * (RFC 9112, section 9.6).
 */
export function lingerAfterEarlyAnswers(app: FastifyInstance, time: number): void {
  app.addHook('onSend', async ({ raw }) => {
    if (raw.complete) return;
    const { socket } = raw;
    // what Node calls once it has written an answer that ends its connection
    socket.destroySoon = () => {
      if (raw.complete) return void socket.end(() => socket.destroy());
      const timer = setTimeout(() => socket.destroy(), time);
      socket.once('close', () => clearTimeout(timer));
      socket.end();
      raw.once('end', () => socket.destroy()).resume();
    };
  });
}
