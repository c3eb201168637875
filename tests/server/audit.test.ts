import { spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newFastify } from '../../server/fastify.ts';
import { noteCommand } from '../../server/ops/command-audit.ts';
import { answerErrors } from '../../server/protocol/errors.ts';
import { Refusal } from '../../server/errors/refusal.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { ADMIN, freshFolder, startServer, testSettings } from './harness.ts';
import { idOf, invite, list, NEW, OMAR, withRole } from './people-client.ts';

vi.mock(import('node:os'), { spy: true });

/** A server behind a proxy, and the lines of its log. */
async function logging(level = 'info') {
  const lines: Record<string, unknown>[] = [];
  const logStream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const server = await startServer({ LOG_LEVEL: level, TRUSTED_PROXIES: '127.0.0.1' }, { logStream });
  return { ...server, lines, audited: () => lines.filter((line) => line['audit'] !== undefined) };
}

test('logs sign-ins with their address, failed sign-ins, logouts and password changes', async () => {
  const { client, lines, audited } = await logging();
  const admin = await client();
  await admin.signIn(ADMIN.email, 'wrong');
  const from = { 'x-forwarded-for': '203.0.113.9' };
  await admin.post('/api/auth/login', { email: 'nobody@example.com', password: 'x' }, from);
  await admin.signIn();
  const next = 'seven green parrots';
  const form = { previous_password: ADMIN.password, new_password: next, new_password_confirmation: next };
  await admin.post('/api/change-password', form);
  await admin.post('/api/logout', undefined);
  await admin.signIn(`${'x'.repeat(300)}@example.com`, 'wrong');
  // in the wrong field
  await admin.signIn(ADMIN.password, ADMIN.password);
  expect(audited().map(({ audit, who, address }) => [audit, who, address])).toEqual([
    ['sign-in refused', ADMIN.email, '127.0.0.1'],
    ['sign-in refused', 'nobody@example.com', '203.0.113.9'],
    ['signed in', ADMIN.email, '127.0.0.1'],
    ['password changed', ADMIN.email, '127.0.0.1'],
    ['signed out', ADMIN.email, '127.0.0.1'],
    ['sign-in refused', 'x'.repeat(100), '127.0.0.1'],
    ['sign-in refused', 'not an address', '127.0.0.1'],
  ]);
  expect(JSON.stringify(lines)).not.toContain(ADMIN.password);
});

test('logs the same where only warnings are logged', async () => {
  const { client, lines } = await logging('warn');
  const admin = await client();
  await admin.signIn(ADMIN.email, 'wrong');
  await admin.signIn();
  expect(lines.map(({ audit, who }) => [audit, who])).toEqual([
    ['sign-in refused', ADMIN.email],
    ['signed in', ADMIN.email],
  ]);
});

test('logs what an owner did to whom, from the invitation to the removal', async () => {
  const server = await logging();
  const owner = await server.client();
  await owner.signIn();
  await withRole(server, 'editor');
  await invite(owner);
  const [invitation] = (await list(owner)).invitations;
  const editor = `/api/people/${await idOf(owner, 'editor@example.com')}`;
  const asked = [
    [`/api/people/invitations/${invitation?.id}/withdraw`, {}],
    [`${editor}/role`, { role: 'viewer' }],
    [`${editor}/reset`, {}],
    [`${editor}/end-sessions`, {}],
    ['/api/sessions/end-others', {}],
    [`${editor}/remove`, {}],
  ] as const;
  for (const [path, form] of asked) expect((await owner.post(path, form)).statusCode).toBe(200);
  const told = server.audited().map(({ audit, who }) => `${String(audit)}: ${String(who)}`);
  expect(told.filter((line) => !line.startsWith('signed in'))).toEqual([
    'administrator invited: omar@example.com',
    'invitation withdrawn: omar@example.com',
    'made viewer: editor@example.com',
    'password link made: editor@example.com',
    'sessions ended: editor@example.com',
    `other sessions ended: ${ADMIN.email}`,
    'administrator removed: editor@example.com',
  ]);
});

test('logs whether a link accepted an invitation or reset a password', async () => {
  const { client, audited } = await logging();
  const owner = await client();
  await owner.signIn();
  const invited = (await invite(owner)).json().token;
  await owner.post('/api/link/take', { token: invited, ...NEW });
  const { token } = (await owner.post(`/api/people/${await idOf(owner, OMAR.email)}/reset`, undefined)).json();
  await owner.post('/api/link/take', { token, ...NEW });
  const told = audited().map(({ audit, who }) => `${String(audit)}: ${String(who)}`);
  expect(told).toContain(`invitation accepted: ${OMAR.email}`);
  expect(told.at(-1)).toBe(`password set by link: ${OMAR.email}`);
});

test('logs that a user ended one of their other sessions', async () => {
  const { client, audited } = await logging();
  const [here, there] = [await client(), await client()];
  await there.signIn();
  await here.signIn();
  const sessions = (await here.get('/api/sessions')).json() as { id: string; isThis: boolean }[];
  const other = sessions.find(({ isThis }) => !isThis);
  expect((await here.post(`/api/sessions/${other?.id}/end`, undefined)).statusCode).toBe(200);
  expect(audited().at(-1)).toMatchObject({ audit: 'session ended', who: ADMIN.email });
});

test('names the user in the log lines of a request, once known', async () => {
  const { client, lines } = await logging();
  const admin = await client();
  await admin.signIn();
  lines.length = 0;
  await admin.get(projects.endpoints.list);
  await expect.poll(() => lines.filter((line) => line['msg'] === 'request completed')).toHaveLength(1);
  expect(lines.at(-1)).toMatchObject({ msg: 'request completed', user: 1 });
});

test('logs an error of an existing back end without its cookies', async () => {
  let log = '';
  const app = newFastify(testSettings({ LOG_LEVEL: 'error' }), { write: (line) => void (log += line) });
  onTestFinished(() => app.close());
  answerErrors(app);
  app.get('/', () => {
    throw new Refusal(500, { message: 'Broken.' }, {}, ['laravel_session=of-a-person']);
  });
  expect((await app.inject('/')).headers['set-cookie']).toBe('laravel_session=of-a-person');
  expect(log).toContain('Broken.');
  expect(log).not.toContain('of-a-person');
});

test('logs what a command did to administrators, and which system account ran it', async () => {
  const { dataDir } = await startServer();
  const command = (...words: string[]) => {
    const env = { ...process.env, DATA_DIR: dataDir, SUDO_USER: 'keeper' };
    return spawnSync(process.execPath, ['server/cli.ts', 'admin', ...words], { env, encoding: 'utf8' });
  };
  const added = command('add', 'second@example.com');
  command('reset-password', 'second@example.com');
  command('list');
  command('remove', 'nobody@example.com');
  const path = join(dataDir, 'audit.log');
  const text = await readFile(path, 'utf8');
  const [password = 'none'] = /(?<=Password: )\S+/.exec(added.stdout) ?? [];
  expect([text.includes(password), (await stat(path)).mode & 0o777]).toEqual([false, 0o600]);
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  const line = (audit: string) => ({ time: expect.any(String), audit, who: 'second@example.com', by: 'keeper' });
  expect(lines).toEqual([line('command add'), line('command reset-password')]);
});

test('logs a command without a data folder, when the database is elsewhere', async () => {
  const folder = join(await freshFolder(), 'data');
  await noteCommand(folder, { audit: 'add', who: 'second@example.com', time: 0 });
  expect(await readFile(join(folder, 'audit.log'), 'utf8')).toContain('command add');
});

test('logs a command with the numeric user id when the account has no name, as in containers', async () => {
  const folder = await freshFolder();
  vi.stubEnv('SUDO_USER', undefined);
  vi.mocked(userInfo).mockImplementationOnce(() => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT');
  });
  await noteCommand(folder, { audit: 'add', who: 'second@example.com', time: 0 });
  vi.unstubAllEnvs();
  expect(JSON.parse(await readFile(join(folder, 'audit.log'), 'utf8'))).toMatchObject({
    by: String(process.getuid?.()),
  });
});

test('logs a command with the time it was given', async () => {
  const folder = await freshFolder();
  await noteCommand(folder, { audit: 'remove', who: 'second@example.com', time: Date.parse('2026-11-20T12:00:00Z') });
  const line = JSON.parse(await readFile(join(folder, 'audit.log'), 'utf8'));
  expect(line).toMatchObject({ time: '2026-11-20T12:00:00.000Z', audit: 'command remove', who: 'second@example.com' });
});
