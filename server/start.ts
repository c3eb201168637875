import './require-node.js';
import { resolve } from 'node:path';
import serveFiles from '@fastify/static';
import fastify from 'fastify';

const app = fastify();
await app.register(serveFiles, { root: resolve('dist') });
console.log(`Voltdesk is at ${await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' })}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close());
