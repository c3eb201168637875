import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { databaseProblem, isBusy, isFull, isReadOnly, isUnreadable } from '../errors/faults.ts';
import { Refusal } from '../errors/refusal.ts';

/** Answers every error with JSON `{message, errors?, code?}`. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalOf(error, request);
    if (refusal.status >= 500) request.log.error({ err: error }, 'request failed');
    return send(reply, refusal);
  });
}

function send(reply: FastifyReply, refusal: Refusal) {
  for (const cookie of refusal.cookies) reply.header('Set-Cookie', cookie);
  return reply.code(refusal.status).header('Cache-Control', 'no-store').headers(refusal.headers).send(refusal.body);
}

/** Maps a thrown error to an answer. */
export function refusalOf(error: unknown, request: FastifyRequest): Refusal {
  return error instanceof Refusal ? error : refusalOfFault(error as FastifyError, request);
}

function refusalOfFault(error: FastifyError, request: FastifyRequest): Refusal {
  const storage = storageProblem(error);
  if (storage !== undefined) return new Refusal(503, { message: storage, code: 'storage' }, { 'Retry-After': '60' });
  const away = databaseProblem(error);
  if (away !== undefined) return new Refusal(503, { message: away, code: 'database' }, { 'Retry-After': '10' });
  if (isUnreadable(error))
    return new Refusal(400, { message: 'The request contains a character that cannot be read.' });
  const status = error.statusCode ?? 500;
  if (status === 413) return new Refusal(413, { message: 'The request is too large.', code: 'request-too-large' });
  if (status === 503)
    return new Refusal(503, { message: 'The server took too long. Please try again.', code: 'too-slow' });
  if (status >= 400 && status < 500) return new Refusal(status, { message: error.message });
  if (wasCutOff(request)) return new Refusal(400, { message: 'The request was cut off.' });
  return new Refusal(500, { message: 'Something went wrong on the server. Its log has the details.' });
}

/** True if the client disconnected. `destroyed` alone is not enough: it is also set on fully read requests. */
function wasCutOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** The message for a full or read-only disk. Nothing was changed, because rows and files commit together. */
function storageProblem(error: object): string | undefined {
  if (isFull(error)) return "The server's disk is full. Nothing was changed.";
  if (isReadOnly(error)) return 'The server isn’t allowed to write to its data folder. Nothing was changed.';
  return isBusy(error) ? 'The database is busy. Nothing was changed.' : undefined;
}
