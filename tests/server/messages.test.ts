import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { prepareDataFolder } from '../../server/ops/data-folder.ts';
import type { FirstAdministrator } from '../../server/accounts/first-administrator.ts';
import { explainFailure, printFirstSignIn, printWelcome } from '../../server/ops/messages.ts';
import { freshFolder, testSettings } from './harness.ts';

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** The explanation of a system error. */
function told(facts: {
  readonly code: string;
  readonly path?: string;
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
}): string {
  const say = vi.spyOn(console, 'error').mockReturnValue();
  explainFailure(Object.assign(new Error(`${facts.code}: mkdir '${facts.path}'`), facts));
  return String(say.mock.lastCall);
}

test.each(['EACCES', 'EPERM', 'EROFS'])(
  'names the folder that %s is about, which need not be the data folder',
  (code) => {
    const text = told({ code, path: '/mnt/backups' });
    expect(text).toBe(`/mnt/backups cannot be written to or read here: ${code}: mkdir '/mnt/backups'`);
  },
);

test('explains a failure with its cause', () => {
  const say = vi.spyOn(console, 'error').mockReturnValue();
  explainFailure(new Error('The database cannot be opened.', { cause: new Error('it is damaged') }));
  expect(say.mock.lastCall).toEqual(['The database cannot be opened.\nit is damaged']);
  explainFailure('no error at all');
  expect([say.mock.lastCall, process.exitCode]).toEqual([['no error at all'], 1]);
});

test('names the missing logo file on this disk, but not when files are kept with a database', async () => {
  const say = vi.spyOn(console, 'log').mockReturnValue();
  const dataDir = await freshFolder();
  const settings = { ...testSettings({ DATA_DIR: dataDir, APP_DIR: dataDir }), logoPath: '/uploads/brand.png' };
  const linesOf = (databaseUrl: string) => {
    say.mockClear();
    printWelcome('http://127.0.0.1:3000', { ...settings, databaseUrl });
    return say.mock.calls.map(([line]) => String(line));
  };
  const missing = `LOGO_PATH: there is no file "${join(dataDir, 'uploads/brand.png')}" yet, so no logo is shown.`;
  expect(linesOf('')).toContain(missing);
  expect(linesOf('postgres://a@b/c')).not.toContain(missing);
});

test('explains a port that only the system may open', () => {
  expect(told({ code: 'EACCES', port: 80 })).toBe('Port 80 is reserved by the system. Set PORT to 1024 or above.');
});

test('explains a port in use and an address of another machine, with the setting to change', () => {
  expect(told({ code: 'EADDRINUSE', port: 3000 })).toBe(
    'Port 3000 is taken by another program. Set PORT to a free one.',
  );
  const words = 'is not an address of this machine. Set HOST to 127.0.0.1, or 0.0.0.0 for every network.';
  expect(told({ code: 'EADDRNOTAVAIL', address: '192.0.2.1' })).toBe(`192.0.2.1 ${words}`);
  expect(told({ code: 'ENOTFOUND', hostname: 'elsewhere.example' })).toBe(`elsewhere.example ${words}`);
});

test('names a data folder that cannot be created, with the setting to change', async () => {
  const file = join(await freshFolder(), 'a file');
  await writeFile(file, '');
  const dataDir = join(file, 'data');
  expect(() => prepareDataFolder(dataDir)).toThrow(
    `The data folder ${dataDir} cannot be written to. DATA_DIR names another one.`,
  );
});

/** The lines about the first sign-in, without their box. */
async function firstSignIn(administrator: FirstAdministrator, isTTY: boolean) {
  const dataDir = await freshFolder();
  const say = vi.spyOn(console, 'log').mockReset().mockReturnValue();
  const before = process.stdout.isTTY;
  process.stdout.isTTY = isTTY;
  try {
    printFirstSignIn(administrator, testSettings({ DATA_DIR: dataDir }));
  } finally {
    process.stdout.isTTY = before;
  }
  const lines = say.mock.calls.flatMap(([text]) => String(text).split('\n'));
  return { dataDir, lines: lines.map((line) => line.replaceAll(/[│┌┐└┘─]/g, '').trim()).filter((line) => line !== '') };
}

test('prints at start where it serves, and that the app is not built', async () => {
  const dataDir = await freshFolder();
  const say = vi.spyOn(console, 'log').mockReturnValue();
  printWelcome('http://127.0.0.1:3000', testSettings({ DATA_DIR: dataDir, APP_DIR: dataDir }));
  expect(say.mock.calls.flat()).toEqual([
    `There is no built app in ${dataDir}, so only the API is served. npm run build makes one.`,
    'Voltdesk is at http://127.0.0.1:3000',
  ]);
});

test('prints at the first start how to sign in', async () => {
  expect((await firstSignIn({ email: 'a@example.com' }, true)).lines).toEqual([
    'Sign in as   a@example.com',
    'Password     the one in ADMIN_PASSWORD',
  ]);
});

test('shows a generated password on a terminal, and otherwise writes it to a file only its user can read', async () => {
  const administrator = { email: 'a@example.com', madeUpPassword: 'k7fmq-29qxa' };
  const shown = await firstSignIn(administrator, true);
  expect(shown.lines).toEqual([
    'Sign in as   a@example.com',
    'Password     k7fmq-29qxa',
    'It is shown only once, and must be changed at the first sign-in.',
  ]);
  const { lines, dataDir } = await firstSignIn(administrator, false);
  const path = join(dataDir, 'first-password.txt');
  expect(lines).toEqual([
    'Sign in as   a@example.com',
    `Password     in ${path}`,
    'The file is removed when the password is changed.',
  ]);
  expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual(['k7fmq-29qxa\n', 0o600]);
});
