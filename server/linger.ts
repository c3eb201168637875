import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { PIECE_TYPE } from '../src/domain/protocol/staging.ts';

/** So many bytes of a piece that is not taken may still come, and for so many milliseconds any: the answer is there by then. */
const PIECE_IN_VAIN = 16 * 1024;
const PIECE_HEARS_AFTER = 50;

/**
 * An answer that comes before the end of its request's body has to survive the end of its connection: a connection that is
 * closed over bytes that nobody read is reset, and the reset may overtake the answer. So the server closes its own half, drops
 * what still comes, and closes the rest when the body ends, the sender hangs up, or `time` milliseconds are over
 * (RFC 9112, section 9.6). On a slow link each byte of a large file's piece that comes in vain is missed, and browsers listen only when they
 * have sent all or the connection ends: such a sender is cut off as soon as it can have heard.
 */
export function lingerAfterEarlyAnswers(app: FastifyInstance, time: number): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete) return;
    const { socket } = raw;
    const isPiece = raw.headers['content-type'] === PIECE_TYPE;
    if (isPiece) reply.header('Connection', 'close');
    // what Node calls once it has written an answer that ends its connection
    socket.destroySoon = () => {
      if (raw.complete) return void socket.end(() => socket.destroy());
      const timer = setTimeout(() => socket.destroy(), time);
      socket.once('close', () => clearTimeout(timer));
      socket.end();
      raw.once('end', () => socket.destroy()).resume();
      if (isPiece) cutShort(socket);
    };
  });
}

/** Ends the connection of a piece that goes on and on. Node drops what comes without a word: the socket alone counts it. */
function cutShort(socket: Socket): void {
  const before = socket.bytesRead;
  const look = setInterval(() => {
    if (socket.bytesRead - before > PIECE_IN_VAIN) socket.destroy();
  }, PIECE_HEARS_AFTER);
  socket.once('close', () => clearInterval(look));
}
