import { afterEach, expect, test, vi } from 'vitest';
import { explainFailure } from '../../server/messages.ts';

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

test('a port that only the system may open is told as such', () => {
  expect(told({ code: 'EACCES', port: 80 })).toBe('Port 80 is kept for the system. Set PORT to 1024 or above.');
});
