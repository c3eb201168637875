import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../harness/ports.ts';
import { ProjectCopy } from '../harness/project-copy.ts';
import { ADMIN, freshFolder } from './harness.ts';

test('serves the page in front of a server that restarts on change, and ends both with npm run dev', async () => {
  const port = await freePort();
  const { child, output, root } = await startDev(port);
  await expect.poll(output).toMatch(/http:\/\/localhost:\d+\//);
  const page = /http:\/\/localhost:\d+/.exec(output())?.[0] ?? '';
  await expect.poll(() => statusOf(`${page}/settings.json`)).toBe(200);
  expect(await (await fetch(page, { headers: { accept: 'text/html' } })).text()).toContain('/@vite/client');
  expect(starts(output())).toBe(1);
  const now = new Date();
  await utimes(join(root, 'server/start.ts'), now, now);
  await expect.poll(() => starts(output())).toBe(2);
  await expect.poll(() => statusOf(`${page}/settings.json`)).toBe(200);
  child.kill('SIGINT');
  // its server writes to the same pipes, which close once both have ended
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(await statusOf(`http://localhost:${port}/healthz`)).toBe('closed');
});

test.each(['SIGTERM', 'SIGHUP'] as const)('ends its server too on %s', async (signal) => {
  const port = await freePort();
  const { child, output } = await startDev(port);
  await expect.poll(output).toMatch(/http:\/\/localhost:\d+\//);
  await expect.poll(() => statusOf(`http://localhost:${port}/healthz`)).toBe(200);
  child.kill(signal);
  await once(child, 'exit');
  await expect.poll(() => statusOf(`http://localhost:${port}/healthz`)).toBe('closed');
});

/** How often the server reported that it listens. */
function starts(output: string): number {
  return output.split('Voltdesk is at').length - 1;
}

/** Starts it in a copy of the project, whose sources the test may touch. */
async function startDev(port: number) {
  const copy = new ProjectCopy();
  const env = {
    ...process.env,
    NO_COLOR: '1',
    HOST: 'localhost',
    PORT: String(port),
    LOG_LEVEL: 'silent',
    DATA_DIR: await freshFolder(),
    ADMIN_PASSWORD: ADMIN.password,
  };
  // its own process group, so that nothing outlives a failed test
  const child = spawn(process.execPath, ['--import', './server/require-node.js', 'server/cli.ts', 'dev'], {
    cwd: copy.root,
    env,
    detached: true,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  onTestFinished(() => {
    endGroup(child.pid ?? 0);
    copy.remove();
  });
  return { child, output: () => text, root: copy.root };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // everything has ended
  }
}

function statusOf(address: string): Promise<number | 'closed'> {
  return fetch(address).then(
    ({ status }) => status,
    () => 'closed' as const,
  );
}
