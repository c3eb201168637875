import { Agent, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { ADMIN, signedIn, withKey } from './harness.ts';
import { valuesFor } from './samples.ts';

/** Every call that requires sign-in, as the contract spells it. */
const CALLS: readonly (readonly [string, string])[] = [
  ...RESOURCES.flatMap(({ endpoints }) => [
    ['GET', endpoints.list] as const,
    ['GET', `${endpoints.single}/1`] as const,
    ['POST', endpoints.create] as const,
    ['POST', `${endpoints.single}/1`] as const,
    ['POST', `${endpoints.delete}/1`] as const,
  ]),
  ['GET', siteMeta.endpoints.single],
  ['POST', siteMeta.endpoints.single],
  ['GET', '/api/user'],
  ['POST', '/api/logout'],
  ['POST', '/api/change-password'],
  ['POST', '/api/delete-image/1'],
  ['GET', '/api/get-generators-series'],
  ['GET', '/api/get-all-ups-types'],
  ['POST', '/api/get-gti-brands'],
  ['GET', '/api/history/generators/1'],
  ['GET', '/api/changes/12345678'],
];

/** Spellings of an address that a router may treat as the same call. */
const SPELLINGS: readonly (readonly [string, (path: string) => string])[] = [
  ['an escaped first letter', (path) => path.replace('/api', '/%61pi')],
  ['an escaped last letter', (path) => path.replace('/api', '/ap%69')],
  ['every letter escaped', (path) => path.replaceAll(/[a-z]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)],
  ['an escaped slash', (path) => path.replace('/api/', '/api%2F')],
  ['two slashes', (path) => `/${path}`],
  ['a dot', (path) => `/.${path}`],
  ['a way up', (path) => `/x/..${path}`],
  ['capitals', (path) => path.replace('/api', '/API')],
];

/** Absolute forms of an address, which name a host besides the Host header. */
const ABSOLUTE: readonly (readonly [string, (path: string) => string])[] = [
  ['the absolute form', (path) => `http://voltdesk.test${path}`],
  ['the absolute form in capitals with an escape', (path) => `HTTP://voltdesk.test${path.replace('/api', '/%61pi')}`],
];

/** A listening server with a signed-in administrator. `ask` sends an address exactly as given. */
async function listening() {
  const server = await signedIn();
  const { hostname, port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }));
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body: object = {}) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = method === 'GET' ? {} : { 'content-type': 'application/json' };
      const asking = request({ agent, hostname, port, method, path, headers: { ...sent, ...headers } }, (answer) => {
        let text = '';
        answer
          .on('data', (chunk) => (text += chunk))
          .on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      asking.on('error', reject).end(method === 'GET' ? undefined : JSON.stringify(body));
    });
  const antiForgery = {
    cookie: [...server.admin.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': server.admin.cookies.get('XSRF-TOKEN') ?? '',
  };
  return { ...server, ask, antiForgery, token: { authorization: `Bearer ${server.admin.bearer()}` } };
}

test('requires sign-in on every call of the contract', async () => {
  const { ask, antiForgery } = await listening();
  for (const [method, path] of CALLS)
    expect([path, (await ask(method, path, antiForgery)).status]).toEqual([path, 401]);
});

test.each(SPELLINGS)('requires sign-in on every call whose address is written with %s', async (_what, spelled) => {
  const { ask, antiForgery } = await listening();
  for (const [method, path] of CALLS) {
    const { status } = await ask(method, spelled(path), antiForgery);
    expect([401, 404], `${method} ${spelled(path)}`).toContain(status);
  }
});

test.each(SPELLINGS)('requires the anti-forgery values on every change written with %s', async (_what, spelled) => {
  const { ask, token } = await listening();
  for (const [method, path] of CALLS.filter(([verb]) => verb === 'POST')) {
    const { status } = await ask(method, spelled(path), token);
    expect([404, 419], `${method} ${spelled(path)}`).toContain(status);
  }
  const { status } = await ask('POST', spelled('/api/auth/login'), {}, ADMIN);
  expect([404, 419]).toContain(status);
});

test.each(ABSOLUTE)(
  'refuses %s of every address, also to a signed-in user, and changes nothing',
  async (_what, spelled) => {
    const { ask, token, antiForgery } = await listening();
    const refused = { status: 400, text: JSON.stringify({ message: 'This address cannot be read.' }) };
    for (const [method, path] of CALLS)
      expect(await ask(method, spelled(path), { ...token, ...antiForgery }), `${method} ${spelled(path)}`).toEqual(
        refused,
      );
    expect(await ask('POST', spelled('/api/auth/login'), antiForgery, ADMIN)).toEqual(refused);
    expect(await ask('GET', spelled('/api/nothing'), { accept: 'text/html' })).toEqual(refused);
    // the sign-out among the calls had no effect
    expect((await ask('GET', '/api/user', token)).status).toBe(200);
  },
);

test('answers another spelling of an address like the usual one for a signed-in user', async () => {
  const { ask, token } = await listening();
  for (const path of ['/api/user', '/%61pi/user']) {
    expect((await ask('GET', path, token)).status).toBe(200);
  }
});

test.each(['/%61pi/nothing', '/api%2Fnothing', '/uploads%2Fnothing'])(
  'does not serve the page for %s',
  async (path) => {
    const { ask } = await listening();
    expect((await ask('GET', path, { accept: 'text/html' })).status).toBe(404);
  },
);

test('treats a repeated key as the same change, however its address is spelled', async () => {
  const { ask, token, antiForgery } = await listening();
  const headers = { ...token, ...antiForgery, ...withKey() };
  const answers = [];
  for (const path of [siteMeta.endpoints.single, siteMeta.endpoints.single.replace('/api', '/%61pi')]) {
    answers.push(await ask('POST', path, headers, valuesFor(siteMeta.fields)));
  }
  expect(answers[0]?.status).toBe(200);
  expect(answers[1]).toEqual(answers[0]);
});
