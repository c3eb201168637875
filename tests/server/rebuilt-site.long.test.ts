import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { freePort } from '../harness/ports.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

const SERVE = join(import.meta.dirname, '../../examples/site/serve.js');

test('a saved change is on the example site after its webhook, without anybody asking for it', async () => {
  const { app, admin } = await signedIn({ CONTENT: 'public', WEBHOOKS_INSIDE: 'yes' });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const port = await freePort();
  const site = `http://127.0.0.1:${port}`;
  const { secret } = (await admin.post('/api/webhooks', { url: `${site}/rebuild` })).json();
  const env = {
    ...process.env,
    VOLTDESK_URL: address,
    OUT: join(await freshFolder(), 'site'),
    PORT: String(port),
    WEBHOOK_SECRET: secret,
  };
  const serving = spawn(process.execPath, [SERVE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void serving.kill());
  const lines = createInterface({ input: serving.stdout });
  const nextBuild = async () => {
    for (;;) {
      const [line] = (await once(lines, 'line')) as [string];
      if (line.includes('pages')) return;
    }
  };
  await nextBuild();
  const forged = await fetch(`${site}/rebuild`, {
    method: 'POST',
    body: '{}',
    headers: { 'webhook-signature': 'v1,x' },
  });
  expect(forged.status).toBe(401);
  for (const name of ['Northern Turbines', 'Southern Cells']) {
    const built = nextBuild();
    const form = formOf({ ...valuesFor(partners.fields), name }, await filesFor(partners));
    expect((await admin.post(partners.endpoints.create, form)).statusCode).toBe(200);
    await built;
    expect(await (await fetch(`${site}/partners/`)).text()).toContain(name);
  }
  expect((await admin.get('/api/webhooks')).json()[0].deliveries).toMatchObject([{ status: 202 }, { status: 202 }]);
});
