import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { explainFailure, printWelcome } from '../../server/messages.ts';
import { freshFolder, testSettings } from './harness.ts';

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** What is told of an error as the system throws it. */
function told(facts: { readonly code: string; readonly path?: string; readonly port?: number }): string {
  const say = vi.spyOn(console, 'error').mockReturnValue();
  explainFailure(Object.assign(new Error(`${facts.code}: mkdir '${facts.path}'`), facts));
  return String(say.mock.lastCall);
}

test.each(['EACCES', 'EPERM', 'EROFS'])(
  '%s names the folder it is about, which need not be the data folder',
  (code) => {
    const text = told({ code, path: '/mnt/backups' });
    expect(text).toBe(`/mnt/backups cannot be written to or read here: ${code}: mkdir '/mnt/backups'`);
  },
);

test('a failure is told with its cause', () => {
  const say = vi.spyOn(console, 'error').mockReturnValue();
  explainFailure(new Error('The database cannot be opened.', { cause: new Error('it is damaged') }));
  expect(say.mock.lastCall).toEqual(['The database cannot be opened.\nit is damaged']);
  explainFailure('no error at all');
  expect([say.mock.lastCall, process.exitCode]).toEqual([['no error at all'], 1]);
});

test('a missing logo is told where its file would lie on this disk, and not where it may lie in a database', async () => {
  const say = vi.spyOn(console, 'log').mockReturnValue();
  const dataDir = await freshFolder();
  const settings = { ...testSettings({ DATA_DIR: dataDir, APP_DIR: dataDir }), logoPath: '/uploads/brand.png' };
  const linesOf = (databaseUrl: string) => {
    say.mockClear();
    printWelcome('http://127.0.0.1:3000', undefined, { ...settings, databaseUrl });
    return say.mock.calls.map(([line]) => String(line));
  };
  const missing = `LOGO_PATH: there is no file "${join(dataDir, 'uploads/brand.png')}" yet, so no logo is shown.`;
  expect(linesOf('')).toContain(missing);
  expect(linesOf('postgres://a@b/c')).not.toContain(missing);
});

test('a port that only the system may open is told as such', () => {
  expect(told({ code: 'EACCES', port: 80 })).toBe('Port 80 is kept for the system. Set PORT to 1024 or above.');
});
