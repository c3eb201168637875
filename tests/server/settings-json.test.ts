import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsRoute } from '../../server/protocol/settings-json.ts';
import { freshFolder, serverOf, testSettings } from './harness.ts';

const MAIL = { SMTP_URL: 'smtp://mail.example.com', PUBLIC_HOST: 'desk.example.com' };

/** What a server with this environment tells the app. */
async function told(environment: Record<string, string>) {
  const answer = await serverOf((app) => settingsRoute(app, testSettings(environment))).inject('/settings.json');
  expect(answer.headers['cache-control']).toBe('no-cache');
  return answer.json();
}

test('the app is told the names and lines of its installation', async () => {
  const names = { BRAND_LABEL: 'Northern Power', LOCATION_LINE: 'Dhaka', COMPANY_LABEL: 'Northern Power Ltd' };
  expect(await told(names)).toMatchObject({
    brandLabel: 'Northern Power',
    locationLine: 'Dhaka',
    companyLabel: 'Northern Power Ltd',
  });
});

test('a forgotten password leads to a mail where the server sends mail and keeps the administrators', async () => {
  expect((await told({})).forgotPasswordAddress).toBe('');
  expect((await told(MAIL)).forgotPasswordAddress).toBe('/forgot-password');
  expect((await told({ ...MAIL, API_URL: 'https://api.example.com' })).forgotPasswordAddress).toBe('');
});

test('an address of one’s own for forgotten passwords goes before the server’s', async () => {
  const FORGOT_PASSWORD_ADDRESS = 'https://example.com/help';
  expect((await told({ ...MAIL, FORGOT_PASSWORD_ADDRESS })).forgotPasswordAddress).toBe(FORGOT_PASSWORD_ADDRESS);
});

test('the app is told where the logo is on this site, and not where its file lies on the server', async () => {
  const path = join(await freshFolder(), 'Brand.PNG');
  await writeFile(path, 'a picture');
  const app = serverOf((own) => settingsRoute(own, testSettings({ LOGO_PATH: path })));
  expect((await app.inject('/settings.json')).json().logoPath).toBe('/uploads/logo.png');
  const { headers, body } = await app.inject('/uploads/logo.png');
  expect([headers['content-type'], headers['cache-control'], body]).toEqual(['image/png', 'no-cache', 'a picture']);
  expect((await told({ LOGO_PATH: '/icons/icon.svg' })).logoPath).toBe('/icons/icon.svg');
  expect((await told({})).logoPath).toBe('');
});
