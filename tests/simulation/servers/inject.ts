import type { FastifyInstance } from 'fastify';
import type { WireAnswer, WireRequest } from './server.ts';

/** Passes a request to a server in this process. */
export async function inject(app: FastifyInstance, { method, path, headers, body }: WireRequest): Promise<WireAnswer> {
  const answer = await app.inject({
    method: method as 'GET' | 'POST',
    url: path,
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { payload: Buffer.from(body) }),
  });
  const answered = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? ''].flat()) answered.append(name, String(one));
  }
  return { status: answer.statusCode, headers: answered, body: new Uint8Array(answer.rawPayload) };
}
