import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generators } from '../../src/domain/resources/generators.ts';
import { ADMIN, encoded, formOf, freshFolder, withKey } from './harness.ts';
import { signIn, startProcess } from './process.ts';
import { filesFor, valuesFor } from './samples.ts';

test('generates a password at the first start, keeps it out of the system log, and shuts down cleanly', async () => {
  const DATA_DIR = await freshFolder();
  const file = join(DATA_DIR, 'first-password.txt');
  const first = startProcess({ DATA_DIR });
  const address = await first.listening();
  await expect.poll(first.output).toContain(`Password     in ${file}`);
  const password = (await readFile(file, 'utf8')).trim();
  expect(password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect(first.output()).not.toContain(password);
  const headers = await signIn(address, password);
  const next = 'seven green parrots';
  const body = new URLSearchParams({
    previous_password: password,
    new_password: next,
    new_password_confirmation: next,
  });
  expect((await fetch(`${address}/api/change-password`, { method: 'POST', headers, body })).status).toBe(200);
  expect(existsSync(file)).toBe(false);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const second = startProcess({ DATA_DIR });
  await second.listening();
  expect(second.output()).not.toContain('Password');
});

test('tells how to sign in even if the first start cannot listen', async () => {
  const DATA_DIR = await freshFolder();
  const file = join(DATA_DIR, 'first-password.txt');
  // An address for documentation, which no machine has (RFC 5737).
  const failed = startProcess({ DATA_DIR, HOST: '192.0.2.1' });
  expect(await failed.ended).toBe(1);
  expect(failed.output()).toContain(`Password     in ${file}`);
  const address = await startProcess({ DATA_DIR }).listening();
  const password = (await readFile(file, 'utf8')).trim();
  expect(await signIn(address, password)).toHaveProperty('authorization');
});

test('keeps what it acknowledged when it is killed right afterwards', async () => {
  const DATA_DIR = await freshFolder();
  const environment = { DATA_DIR, ADMIN_PASSWORD: ADMIN.password };
  const first = startProcess(environment);
  const address = await first.listening();
  const headers = { ...(await signIn(address, ADMIN.password)), ...withKey() };
  const form = formOf(valuesFor(generators.fields), await filesFor(generators));
  const created = await fetch(address + generators.endpoints.create, { method: 'POST', headers, body: form });
  first.child.kill('SIGKILL');
  const { id } = (await created.json()) as { id: number };
  await first.ended;
  const second = startProcess(environment);
  const again = await second.listening();
  const read = await fetch(`${again}${generators.endpoints.single}/${id}`, { headers });
  expect(read.status).toBe(200);
  const { files } = (await read.json()) as { files: { name: string }[] };
  expect(files).toHaveLength(3);
  for (const { name } of files) expect((await fetch(`${again}/uploads/${name}`)).status).toBe(200);
});

test('finishes requests in flight when told to stop', async () => {
  const server = startProcess({ DATA_DIR: await freshFolder(), ADMIN_PASSWORD: ADMIN.password });
  const address = new URL(await server.listening());
  const headers = { ...(await signIn(address.origin, ADMIN.password)), ...withKey() };
  const { body, type } = await encoded(formOf(valuesFor(generators.fields), await filesFor(generators)));
  const head = Object.entries({
    ...headers,
    host: address.host,
    'content-type': type,
    'content-length': String(body.length),
  });
  const socket = connect(Number(address.port), address.hostname);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`POST ${generators.endpoints.create} HTTP/1.1\r\n${lines}\r\n`);
  socket.write(body.subarray(0, 200));
  await fetch(`${address.origin}/healthz`);
  server.child.kill('SIGTERM');
  await expect
    .poll(() =>
      fetch(`${address.origin}/healthz`).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed');
  socket.write(body.subarray(200));
  await expect.poll(() => answer).toContain('Generator Created Successfully');
  socket.end();
  expect(await server.ended).toBe(0);
});

test('names all invalid settings at once, and does not start', async () => {
  const server = startProcess({
    PORT: 'many',
    API_URL: 'nowhere',
    ADMIN_PASSWORD: 'short',
    LOG_LEVEL: 'loud',
    LOGO_PATH: '/none.png',
    MAX_FILE_MB: '20',
    MAX_REQUEST_MB: '10',
  });
  expect(await server.ended).toBe(1);
  for (const name of ['PORT', 'API_URL', 'ADMIN_PASSWORD', 'LOG_LEVEL', 'LOGO_PATH', 'MAX_REQUEST_MB'])
    expect(server.output()).toContain(`${name}:`);
  expect(server.output()).not.toContain('    at ');
});

test('explains an address that it cannot listen on, and a missing app', async () => {
  // An address for documentation, which no machine has (RFC 5737).
  const elsewhere = startProcess({ DATA_DIR: await freshFolder(), HOST: '192.0.2.1' });
  expect(await elsewhere.ended).toBe(1);
  expect(elsewhere.output()).toContain('192.0.2.1 is not an address of this machine');
  const unbuilt = startProcess({ DATA_DIR: await freshFolder(), APP_DIR: '/none' });
  await unbuilt.listening();
  await expect.poll(unbuilt.output).toContain('no built app in /none');
});

test('reports a missing logo file', async () => {
  const server = startProcess({ DATA_DIR: await freshFolder(), LOGO_PATH: '/uploads/brand.svg' });
  await server.listening();
  await expect.poll(server.output).toMatch(/LOGO_PATH: there is no file ".+brand\.svg"/);
});

test('explains a port or data folder that is in use', async () => {
  const DATA_DIR = await freshFolder();
  const first = startProcess({ DATA_DIR, ADMIN_PASSWORD: ADMIN.password });
  const { port } = new URL(await first.listening());
  const samePort = startProcess({ DATA_DIR: await freshFolder(), PORT: port });
  expect(await samePort.ended).toBe(1);
  expect(samePort.output()).toContain(`Port ${port} is taken`);
  const sameFolder = startProcess({ DATA_DIR });
  expect(await sameFolder.ended).toBe(1);
  expect(sameFolder.output()).toContain('Another Voltdesk is using');
});

test.each(['admin', 'lookups'])('creates no empty database with npm run %s when DATA_DIR is wrong', async (command) => {
  const DATA_DIR = await freshFolder();
  const { status, stderr } = spawnSync(process.execPath, ['server/cli.ts', command, 'list'], {
    env: { ...process.env, DATA_DIR },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining(`There is no database in ${DATA_DIR}`)]);
  expect(await readdir(DATA_DIR)).toEqual([]);
});
