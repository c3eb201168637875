import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WEBHOOKS_PATH } from '../../../src/domain/protocol/webhooks.ts';
import { freePort } from '../../harness/ports.ts';
import { TestServer } from '../../harness/server.ts';
import { type SignedIn, signIn } from './sign-in.ts';

/** How often the site is asked for its page. Milliseconds. */
const LOOK_EVERY = 20;
/** Milliseconds. */
const PATIENCE = 60_000;

const SERVE = join(import.meta.dirname, '../../../examples/site/serve.js');

/** A running example site, and the server with the sample data that tells it of changes. */
interface ExampleSite {
  /** The address of the server. */
  readonly origin: string;
  /** The address of the site. */
  readonly site: string;
  readonly session: SignedIn;
  close(): Promise<void>;
}

/** Starts the example site of a server with the sample data. */
export async function startExampleSite(): Promise<ExampleSite> {
  const server = await TestServer.start({
    settings: { CONTENT: 'public', WEBHOOKS_INSIDE: 'yes', LOG_LEVEL: 'error' },
  });
  await server.stop();
  const env = { ...process.env, DATA_DIR: server.dataDir };
  execFileSync(process.execPath, ['server/cli.ts', 'sample-data'], { env, stdio: 'ignore' });
  await server.start();
  const port = await freePort();
  const site = `http://127.0.0.1:${port}`;
  const session = await signIn(server.origin);
  const added = await fetch(server.origin + WEBHOOKS_PATH, {
    method: 'POST',
    headers: { ...session.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${site}/rebuild` }),
  });
  const { secret } = (await added.json()) as { secret: string };
  const folder = mkdtempSync(join(tmpdir(), 'voltdesk-bench-site-'));
  const settings = { VOLTDESK_URL: server.origin, OUT: join(folder, 'site'), PORT: `${port}`, WEBHOOK_SECRET: secret };
  const serving = spawn(process.execPath, [SERVE], { env: { ...process.env, ...settings }, stdio: 'inherit' });
  await shown(`${site}/partners/`, '<h1>');
  return {
    origin: server.origin,
    site,
    session,
    async close() {
      serving.kill();
      await server.remove();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Waits until a page of the site contains a text. Throws after a minute. */
export async function shown(page: string, text: string): Promise<void> {
  const until = performance.now() + PATIENCE;
  while (performance.now() < until) {
    const answer = await fetch(page).catch(() => undefined);
    if ((await answer?.text())?.includes(text) === true) return;
    await sleep(LOOK_EVERY);
  }
  throw new Error(`${page} does not show ${text}.`);
}
