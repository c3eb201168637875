import fastify from 'fastify';
import { expect, test } from 'vitest';
import { LEAST_ROLE, requireRole } from '../../server/security/least-role.ts';
import { LIVE_PATH } from '../../src/domain/protocol/feed.ts';
import { allows, ROLES } from '../../src/domain/roles.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { ADMIN, type Client, signedIn, startServer, withKey } from './harness.ts';
import { OMAR, PASSWORD, NEW, withRole, idOf, invite, list } from './people-client.ts';

/** True if the answer says that the role does not allow the call. The live stream never ends by itself. */
async function isRefused(one: Client, method: string, url: string): Promise<boolean> {
  if (url === LIVE_PATH) {
    const answer = await one.send({ method: 'GET', url, payloadAsStream: true });
    answer.stream().destroy();
    return answer.statusCode === 403;
  }
  const answer = await one.send({ method: method as 'GET', url, ...(method === 'POST' ? { payload: {} } : {}) });
  // the answer to HEAD has no body
  return answer.statusCode === 403 && (method === 'HEAD' || answer.json().code === 'role-too-low');
}

test.each(ROLES)('allows a %s the calls of that role, and no others', async (role) => {
  const server = await startServer();
  const one = await withRole(server, role);
  for (const [call, least] of LEAST_ROLE) {
    const [method = '', path = ''] = call.split(' ');
    if (path === '/api/logout') continue;
    const url = path.replace(':resource', 'partners').replace(/:\w+/, '4711');
    const refused = await isRefused(one, method, url);
    expect([call, refused]).toEqual([call, !allows(role, least)]);
  }
});

/** What everyone may do with their own account, although it is a POST, and a query that is a POST. */
const OWN = /^\/api\/(logout|change-password|presence|get-gti-brands|sessions|security)(\/|$)/;

test('requires an editor for every change of records and files, and an owner for people, health, backups, devices, notices, content tokens, webhooks and the end of the trash', () => {
  for (const [call, least] of LEAST_ROLE) {
    const [method, path = ''] = call.split(' ');
    const isOwners = /^\/api\/((people|health|backups|devices|notices|content|webhooks)(\/|$)|trash\/.*\/delete$)/.test(
      path,
    );
    const isEditors = (method !== 'GET' && !OWN.test(path)) || path.startsWith('/api/uploads');
    expect([call, least]).toEqual([call, isOwners ? 'owner' : isEditors ? 'editor' : 'viewer']);
  }
});

test('lists every API route in the table of roles, and no others', async () => {
  const { app } = await startServer();
  const missing = [...LEAST_ROLE.keys()].filter((call) => {
    const [method = '', url = ''] = call.split(' ');
    return !app.hasRoute({ method: method as 'GET', url });
  });
  expect(missing).toEqual([]);
});

test('refuses to start with a route that is missing from the table of roles', () => {
  const app = fastify();
  requireRole(app);
  expect(() => app.get('/api/strange', () => ({}))).toThrow('GET /api/strange is not in the table');
  const both = { method: ['GET', 'PUT'], url: '/api/people', handler: () => ({}) };
  expect(() => app.route(both)).toThrow('PUT /api/people is not in the table');
  expect(() => app.get('/api/open', { config: { open: true } }, () => ({}))).not.toThrow();
});

test('names the required role and the user’s own', async () => {
  const server = await startServer();
  const viewer = await withRole(server, 'viewer');
  const answer = await viewer.post(partners.endpoints.create, { name: 'x' }, withKey());
  expect(answer.statusCode).toBe(403);
  expect(answer.json()).toEqual({
    message: 'This needs the role Editor. Yours is Viewer. An owner can change it under People.',
    code: 'role-too-low',
  });
});

test('tells users their own role', async () => {
  const server = await startServer();
  const viewer = await withRole(server, 'viewer');
  expect((await viewer.get('/api/user')).json()).toMatchObject({ name: 'viewer', role: 'viewer' });
});

test('changes roles at once, also for open sessions', async () => {
  const server = await signedIn();
  const viewer = await withRole(server, 'viewer');
  const id = await idOf(server.admin, 'viewer@example.com');
  for (const [role, words] of [
    ['editor', 'an editor'],
    ['viewer', 'a viewer'],
  ]) {
    const answer = await server.admin.post(`/api/people/${id}/role`, { role });
    expect(answer.json()).toEqual({ message: `viewer is now ${words}` });
  }
  const answer = await server.admin.post(`/api/people/${id}/role`, { role: 'owner' });
  expect(answer.json()).toEqual({ message: 'viewer is now an owner' });
  expect((await viewer.get('/api/people')).statusCode).toBe(200);
});

test('ends the sessions of one administrator, and removes one', async () => {
  const server = await signedIn();
  const editor = await withRole(server, 'editor');
  const id = await idOf(server.admin, 'editor@example.com');
  await server.admin.post(`/api/people/${id}/end-sessions`, undefined);
  expect((await editor.get('/api/user')).statusCode).toBe(401);
  await editor.signIn('editor@example.com', PASSWORD);
  await server.admin.post(`/api/people/${id}/remove`, undefined);
  expect((await editor.get('/api/user')).statusCode).toBe(401);
  expect((await editor.signIn('editor@example.com', PASSWORD)).statusCode).toBe(422);
});

test('reports an administrator who no longer exists', async () => {
  const { admin } = await signedIn();
  const { people } = await list(admin);
  for (const call of ['role', 'reset', 'end-sessions', 'reset-second-factor', 'remove']) {
    const answer = await admin.post(`/api/people/4711/${call}`, { role: 'viewer' });
    expect([call, answer.statusCode, answer.json().message]).toEqual([
      call,
      404,
      'This administrator no longer exists.',
    ]);
  }
  expect((await list(admin)).people).toEqual(people);
});

test('always keeps an owner, and lets no one remove themselves', async () => {
  const server = await signedIn();
  const own = await idOf(server.admin, ADMIN.email);
  const demoted = await server.admin.post(`/api/people/${own}/role`, { role: 'editor' });
  expect([demoted.statusCode, demoted.json().code]).toEqual([422, 'last-owner']);
  expect((await server.admin.post(`/api/people/${own}/remove`, undefined)).statusCode).toBe(422);
  const other = await withRole(server, 'owner');
  const id = await idOf(other, 'owner@example.com');
  const answers = await Promise.all([
    server.admin.post(`/api/people/${id}/role`, { role: 'viewer' }),
    other.post(`/api/people/${own}/role`, { role: 'viewer' }),
  ]);
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
});

test('refuses to let an owner remove themselves, even if another owner exists', async () => {
  const server = await startServer();
  const owner = await withRole(server, 'owner');
  const own = await idOf(owner, 'owner@example.com');
  const refused = await owner.post(`/api/people/${own}/remove`, undefined);
  expect([refused.statusCode, refused.json().errors.id]).toEqual([422, ['Another owner has to remove you.']]);
  expect((await list(owner)).people.map(({ email }) => email)).toContain('owner@example.com');
});

test('refuses a link that would change an owner’s own password without the current one', async () => {
  const server = await startServer();
  const owner = await withRole(server, 'owner');
  const refused = await owner.post(`/api/people/${await idOf(owner, 'owner@example.com')}/reset`, undefined);
  expect([refused.statusCode, refused.json().errors.id]).toEqual([
    422,
    ['Your own password is under Change Password.'],
  ]);
  expect((await owner.post(`/api/people/${await idOf(owner, ADMIN.email)}/reset`, undefined)).statusCode).toBe(200);
});

test('keeps an owner even when two remove each other at the same moment', async () => {
  const server = await signedIn();
  const other = await withRole(server, 'owner');
  const [own, id] = [await idOf(server.admin, ADMIN.email), await idOf(server.admin, 'owner@example.com')];
  const answers = await Promise.all([
    server.admin.post(`/api/people/${id}/remove`, undefined),
    other.post(`/api/people/${own}/remove`, undefined),
  ]);
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  const { owners } = await server.app.services.db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('owners'))
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  expect(owners).toBe(1);
});

test('logs invitations, acceptances, changed roles and removals', async () => {
  const lines: Record<string, unknown>[] = [];
  const logStream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const { admin } = await signedIn({ LOG_LEVEL: 'info' }, { logStream });
  const { token } = (await invite(admin)).json();
  await admin.post('/api/link/take', { token, name: 'Omar', ...NEW });
  const id = await idOf(admin, OMAR.email);
  await admin.post(`/api/people/${id}/role`, { role: 'viewer' });
  await admin.post(`/api/people/${id}/reset`, undefined);
  await admin.post(`/api/people/${id}/remove`, undefined);
  const audited = lines.filter((line) => line['audit'] !== undefined && line['who'] === OMAR.email);
  expect(audited.map(({ audit, address }) => [audit, address])).toEqual(
    ['administrator invited', 'invitation accepted', 'made viewer', 'password link made', 'administrator removed'].map(
      (event) => [event, '127.0.0.1'],
    ),
  );
});
