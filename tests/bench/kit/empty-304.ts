import fastify from 'fastify';

/** A server that answers every request with an empty 304, in a process of its own. Prints its port. */
const app = fastify();
app.get('/*', (_request, reply) => reply.code(304).send());
const address = await app.listen({ port: 0, host: '127.0.0.1' });
console.log(new URL(address).port);
