import { DatabaseSync } from 'node:sqlite';
import fastify from 'fastify';

/**
 * The floor of the content API, in a process of its own: Fastify that answers `/records/‹id›` with a row of the database whose path
 * is the argument, as JSON, and everything else with an empty 304. Prints its port.
 */
const one = new DatabaseSync(process.argv[2] ?? '', { readOnly: true }).prepare(
  'SELECT * FROM grid_tie_inverters WHERE id = ?',
);
const app = fastify();
app.get<{ Params: { id: string } }>('/records/:id', ({ params }, reply) =>
  reply.type('application/json').send(JSON.stringify(one.get(Number(params.id)))),
);
app.get('/*', (_request, reply) => reply.code(304).send());
const address = await app.listen({ port: 0, host: '127.0.0.1' });
console.log(new URL(address).port);
