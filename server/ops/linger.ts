import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { PIECE_TYPE } from '../../src/domain/protocol/staging.ts';

/** How many bytes, and for how many milliseconds, a refused piece may continue: by then the answer has arrived. */
const PIECE_IN_VAIN = 16 * 1024;
const PIECE_HEARS_AFTER = 50;

/**
 * Lets early answers survive the end of their connection. Closing a connection with unread bytes resets it, and the reset may
 * overtake an answer sent before the end of the body. So the server closes its own half, discards incoming bytes, and closes the
 * rest when the body ends, the sender hangs up or `time` milliseconds have passed (RFC 9112, section 9.6). The sender of a large
 * file's piece is cut off as soon as it can have received the answer: on a slow link every wasted byte hurts, and browsers read
 * an answer only after sending everything or when the connection ends.
 */
export function lingerAfterEarlyAnswers(app: FastifyInstance, time: number): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete) return;
    const { socket } = raw;
    const isPiece = raw.headers['content-type'] === PIECE_TYPE;
    if (isPiece) reply.header('Connection', 'close');
    // Node calls this after writing an answer that ends its connection
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

/** Ends the connection of a piece that keeps coming. Node discards its bytes silently, so only the socket counts them. */
function cutShort(socket: Socket): void {
  const before = socket.bytesRead;
  const look = setInterval(() => {
    if (socket.bytesRead - before > PIECE_IN_VAIN) socket.destroy();
  }, PIECE_HEARS_AFTER);
  socket.once('close', () => clearInterval(look));
}
