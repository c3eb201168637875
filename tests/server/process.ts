import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { ADMIN } from './harness.ts';

/** A server in its own process. Killed at the end of the test at the latest. */
interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  /** Resolves with the address once the server listens. */
  readonly listening: () => Promise<string>;
}

/** Starts the server as its service does. */
export function startProcess(environment: Record<string, string>): Running {
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ADMIN_EMAIL: ADMIN.email,
    ...environment,
  };
  const child = spawn(process.execPath, ['--import', './server/require-node.js', 'server/start.ts'], { env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  // Not 'exit', because the last output may still be in flight.
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(() => void child.kill('SIGKILL'));
  const listening = () => expect.poll(() => /http:\/\/[\d.:]+/.exec(text)?.[0]).toBeTruthy();
  return {
    child,
    output: () => text,
    ended,
    listening: async () => (await listening(), /http:\/\/[\d.:]+/.exec(text)?.[0] ?? ''),
  };
}

/** Signs in. Returns the headers that a browser then sends. */
export async function signIn(address: string, password: string): Promise<Record<string, string>> {
  const cookies = (await fetch(`${address}/api/user`)).headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '');
  const xsrf = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice(11) ?? '';
  const headers = { cookie: cookies.join('; '), 'x-xsrf-token': xsrf };
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN.email, password }),
  });
  expect(answer.status).toBe(200);
  const { token } = (await answer.json()) as { token: string };
  return { ...headers, authorization: `Bearer ${token}` };
}
