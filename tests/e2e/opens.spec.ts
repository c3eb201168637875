import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@playwright/test';

test('opens from the server it is built for', async ({ page }) => {
  const server = spawn(process.execPath, ['server/start.ts'], { env: { ...process.env, PORT: '0' } });
  try {
    const [line] = await once(server.stdout, 'data');
    await page.goto(/http:\S+/.exec(String(line))?.[0] ?? '');
    await expect(page.getByRole('heading', { name: 'Voltdesk' })).toBeVisible();
  } finally {
    server.kill();
  }
});
