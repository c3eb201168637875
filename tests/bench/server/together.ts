import { randomUUID } from 'node:crypto';
import { MOST_BATCHED } from '../../../src/domain/protocol/batch.ts';
import { CHANGES_PATH } from '../../../src/domain/protocol/capabilities.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import { TestServer } from '../../harness/server.ts';
import { alternate } from '../kit/alternate.ts';
import { Client } from '../kit/client.ts';
import { atMostTimes } from '../kit/figure.ts';
import { signIn } from '../kit/sign-in.ts';

const RUNS = 9;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function texts(): Record<string, string> {
  const title = `Power ${randomUUID()}`;
  return {
    title,
    phone: '000-0000',
    email: 'info@example.com',
    address: 'Main Road 1',
    fb: '',
    tw: '',
    li: '',
    metaTag: '',
  };
}

async function sendTogether(client: Client): Promise<void> {
  const changes = Array.from({ length: MOST_BATCHED }, () => {
    return { key: randomUUID(), op: 'update', resource: siteMeta.name, fields: texts() };
  });
  const body = Buffer.from(JSON.stringify({ changes }));
  const headers = { 'content-type': 'application/json', 'content-length': `${body.length}` };
  const answer = await client.send('POST', CHANGES_PATH, headers, body);
  const done = answer.body
    .toString()
    .split('\n')
    .filter((line) => line.includes('"status":200'));
  if (done.length !== MOST_BATCHED) throw new Error(`Of ${MOST_BATCHED} changes ${done.length} were carried out.`);
}

async function sendAlone(client: Client): Promise<void> {
  for (let count = 0; count < MOST_BATCHED; count += 1) {
    const form = new FormData();
    for (const [name, text] of Object.entries(texts())) form.append(name, text);
    const { status } = await client.post(siteMeta.endpoints.single, form, { 'idempotency-key': randomUUID() });
    if (status !== 200) throw new Error(`A change was answered ${status}.`);
  }
}

/** Fifty changes without files, in one batch and one by one, without latency. Each is a transaction either way. */
export const together = {
  name: 'together',
  async measure() {
    const server = await TestServer.start({ settings: { LOG_LEVEL: 'error' } });
    const client = new Client(server.origin, await signIn(server.origin));
    const times = await alternate(RUNS, {
      ours: () => timed(() => sendTogether(client)),
      alone: () => timed(() => sendAlone(client)),
    });
    client.close();
    await server.remove();
    const against = { name: 'one by one', sample: times.alone };
    return [
      { what: '50 changes in one request', unit: 'ms', ours: times.ours, against, goal: atMostTimes(1) },
    ] as const;
  },
};
