import type { FastifyInstance } from 'fastify';

/** Lets a server in this process answer a `fetch` request, as its network would. */
export async function injectRequest(app: FastifyInstance, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const answer = await app.inject({
    method: request.method as 'GET' | 'POST',
    url: url.pathname + url.search,
    headers: Object.fromEntries(request.headers),
    payload: Buffer.from(await request.arrayBuffer()),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, String(one));
  }
  const empty = answer.statusCode === 204 || answer.statusCode === 304;
  return new Response(empty ? null : new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers });
}
