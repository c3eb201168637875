import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isPublicAddress } from '../../server/content/public-address.ts';
import { type PostMessage, postOverHttp, type SignedMessage } from '../../server/content/webhook-request.ts';
import { WebhookSender } from '../../server/content/webhook-sender.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { contentTokensIn } from '../../server/stores/sql/content-tokens.ts';
import { webhooksIn } from '../../server/stores/sql/webhooks.ts';
import { formOf, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

const HOUR = 3_600_000;
const HOOK = 'https://site.example/rebuild';

/** A server with a webhook, a receiver that answers as told, and the clock of both. */
async function told() {
  let now = Date.parse('2026-11-20T10:00:00.000Z');
  const server = await signedIn();
  const webhooks = webhooksIn({ ...server.app.services, now: () => now });
  const secret = await webhooks.add(HOOK);
  const received: SignedMessage[] = [];
  let answer: () => number = () => 200;
  const post: PostMessage = async (message) => {
    received.push(message);
    return answer();
  };
  const faults: unknown[] = [];
  let taken = 0;
  const newSender = () =>
    new WebhookSender({
      webhooks,
      post,
      now: () => now,
      after: () => () => undefined,
      onTold: () => {
        taken += 1;
      },
      onFault: (one) => faults.push(one),
    });
  let sender = newSender();
  const create = async (name: string) => {
    const form = formOf({ ...valuesFor(partners.fields), name }, await filesFor(partners));
    return (await server.admin.post(partners.endpoints.create, form)).json().id as number;
  };
  return {
    ...server,
    webhooks,
    secret,
    received,
    faults,
    taken: () => taken,
    create,
    run: () => sender.run(),
    restart: () => {
      sender = newSender();
    },
    answerWith: (next: () => number) => {
      answer = next;
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    deliveries: async () => (await webhooks.list())[0]?.deliveries ?? [],
  };
}

const changedIn = ({ body }: SignedMessage) => JSON.parse(body).data.changed;

describe('a webhook', () => {
  test('is told the ids of what has changed since it was added, gathered, and nothing twice', async () => {
    const { create, run, received } = await told();
    const ids = [await create('one'), await create('two')];
    await run();
    await run();
    expect(received.map(changedIn)).toEqual([{ partners: ids }]);
  });

  test('is not told of what the site does not show', async () => {
    const { run, received, app } = await told();
    await contentTokensIn(app.services).make('Site');
    await app.services.db.insertInto('lookups').values({ lookup: 'ups-types', parent: '', value: 'New' }).execute();
    await run();
    expect(received).toEqual([]);
  });

  test('gets what it can verify with the public library', async () => {
    const { create, run, received, secret } = await told();
    await create('one');
    // the library compares with the real clock
    const at = Date.now();
    await run();
    const [message] = received;
    if (message === undefined) throw new Error('Nothing was sent.');
    const verifier = new Webhook(secret);
    const stale = () => verifier.verify(message.body, { ...message.headers });
    expect(stale).toThrow();
    const sent = await postedFor(secret, message.body);
    expect(verifier.verify(sent.body, sent.headers)).toEqual(JSON.parse(message.body));
    expect(Number(sent.headers['webhook-timestamp']) * 1000).toBeGreaterThan(at - 2000);
    expect(() => verifier.verify(sent.body.replace('changed', 'chanted'), sent.headers)).toThrow();
  });

  test('is tried again, in order and under the same id, until it answers', async () => {
    const { create, run, received, answerWith, pass, deliveries, taken } = await told();
    answerWith(() => 503);
    const [one] = [await create('one')];
    await run();
    pass(1000);
    const two = await create('two');
    await run();
    expect([received.length, taken()]).toEqual([1, 0]);
    expect(await deliveries()).toMatchObject([
      { state: 'waiting', attempts: 0 },
      { status: 503, attempts: 1 },
    ]);
    answerWith(() => 204);
    pass(HOUR);
    await run();
    expect(received.map(changedIn)).toEqual([{ partners: [one] }, { partners: [one] }, { partners: [two] }]);
    expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
    expect(received[2]?.headers['webhook-id']).not.toBe(received[0]?.headers['webhook-id']);
    expect((await deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    expect(taken()).toBe(2);
  });

  test('is given up after three days, shown with its reason, and sent again on request', async () => {
    const { create, run, received, answerWith, pass, deliveries, webhooks } = await told();
    answerWith(() => {
      throw new Error('connect ECONNREFUSED');
    });
    await create('one');
    for (let hour = 0; hour <= 80; hour += 1) {
      await run();
      pass(HOUR);
    }
    const tries = received.length;
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ state: 'given-up', problem: 'connect ECONNREFUSED', attempts: tries });
    expect(tries).toBeGreaterThan(15);
    answerWith(() => 200);
    await create('two');
    await run();
    expect(received).toHaveLength(tries + 1);
    await webhooks.sendAgain(delivery?.id ?? '');
    await run();
    expect(received.at(-1)?.headers['webhook-id']).toBe(delivery?.id);
    expect((await deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  test('hears every change although the server is killed at each step', async () => {
    const { app, create, run, restart, received, answerWith, pass } = await told();
    const ids: number[] = [];
    const { db } = app.services;
    for (let round = 0; round < 6; round += 1) {
      ids.push(await create(`partner ${round}`));
      // killed after the receiver has the message, before that is noted
      answerWith(() => {
        throw new Error('killed');
      });
      await run();
      restart();
      answerWith(() => 200);
      pass(2 * 60_000);
      if (round % 2 === 0) await run();
    }
    await run();
    const byId = new Map(received.map((message) => [message.headers['webhook-id'], changedIn(message).partners]));
    expect([...byId.values()].flat()).toEqual(ids);
    const waiting = await db.selectFrom('webhook_deliveries').select('id').where('next_at', 'is not', null).execute();
    expect(waiting).toEqual([]);
  });

  test('gets more changes than fit one message in several, all of them, in order', async () => {
    const { app, create, run, received } = await told();
    await create('one');
    const stored = await app.services.db
      .selectFrom('partners' as 'records')
      .selectAll()
      .executeTakeFirstOrThrow();
    const { id: _own, ...row } = stored;
    const rows = Array.from({ length: 1200 }, () => row);
    for (let at = 0; at < rows.length; at += 200)
      await app.services.db
        .insertInto('partners' as 'records')
        .values(rows.slice(at, at + 200))
        .execute();
    await run();
    const ids = received.flatMap((message) => changedIn(message).partners as number[]);
    expect(received.map((message) => changedIn(message).partners.length)).toEqual([500, 500, 201]);
    expect(new Set(ids).size).toBe(1201);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  });

  test('is sent by one server of several', async () => {
    const { create, webhooks, received } = await told();
    await create('one');
    await webhooks.gather();
    const until = Date.parse('2026-11-20T10:01:00.000Z');
    const claims = await Promise.all([webhooks.claimDue(until), webhooks.claimDue(until)]);
    expect(claims.flat()).toHaveLength(1);
    expect(received).toEqual([]);
  });
});

/** What a real receiver gets of a message. */
async function postedFor(secret: string, body: string) {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const arrived = new Promise<{ body: string; headers: Record<string, string> }>((resolve) => {
    server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      resolve({ body: Buffer.concat(chunks).toString(), headers: request.headers as Record<string, string> });
    });
  });
  const { signatureHeaders } = await import('../../server/content/webhook-request.ts');
  const headers = signatureHeaders(secret, 'msg_1', body, Date.now());
  expect(await postOverHttp(true)({ url: `http://127.0.0.1:${port}/`, headers, body })).toBe(302);
  return arrived;
}

describe('addresses inside', () => {
  test.each([
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.31.0.1', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['::1', false],
    ['::ffff:10.0.0.1', false],
    ['::ffff:7f00:1', false],
    ['64:ff9b::7f00:1', false],
    ['fd00::1', false],
    ['fe80::1', false],
  ])('%s is of the internet: %s', (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });

  test.each([
    'http://127.0.0.1/x',
    'http://[::1]:5432/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://localhost:3000/',
    'https://user:secret@site.example/',
    'ftp://site.example/',
    'rebuild',
  ])('are refused or not called: %s', async (url) => {
    const { admin, app } = await signedIn();
    const answer = await admin.post('/api/webhooks', { url });
    if (answer.statusCode === 200) {
      // a name is resolved when it is called
      await expect(postOverHttp(false)({ url, headers: {}, body: '{}' })).rejects.toThrow('into the network');
    } else {
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['url']]);
      expect(await app.services.db.selectFrom('webhooks').selectAll().execute()).toEqual([]);
    }
  });
});

test('owners add, see and remove webhooks; the secret is told once', async () => {
  const { admin } = await signedIn();
  const made = (await admin.post('/api/webhooks', { url: HOOK })).json();
  expect(made.secret).toMatch(/^whsec_/);
  expect((await admin.post('/api/webhooks', { url: HOOK })).statusCode).toBe(422);
  const { body } = await admin.get('/api/webhooks');
  expect(body).not.toContain(made.secret);
  const [hook] = JSON.parse(body);
  expect(hook).toMatchObject({ url: HOOK, deliveries: [] });
  await admin.post(`/api/webhooks/${hook.id}/remove`, {});
  expect((await admin.get('/api/webhooks')).json()).toEqual([]);
  expect((await admin.post(`/api/webhooks/${hook.id}/remove`, {})).statusCode).toBe(404);
});
