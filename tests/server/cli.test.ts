import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const run = (...words: string[]) => spawnSync(process.execPath, ['server/cli.ts', ...words], { encoding: 'utf8' });

test.each(['', 'nothing', 'constructor'])('an unknown command, "%s", is told which ones there are', (name) => {
  const { status, stderr } = run(name);
  expect(status).toBe(1);
  expect(stderr).toContain(`Unknown command "${name}". There are: admin, adopt, backup, build,`);
});

test('a command is given the words after its name', () => {
  const { status, stderr } = run('backup', 'one', 'two');
  expect([status, stderr]).toEqual([1, expect.stringContaining('npm run backup -- --to DIR')]);
});
