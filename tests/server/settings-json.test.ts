import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsRoute } from '../../server/protocol/settings-json.ts';
import { freshFolder, serverOf, testSettings } from './harness.ts';

const MAIL = { SMTP_URL: 'smtp://mail.example.com', PUBLIC_HOST: 'desk.example.com' };

/** The settings that a server with this environment gives the app. */
async function told(environment: Record<string, string>) {
  const answer = await serverOf((app) => settingsRoute(app, testSettings(environment))).inject('/settings.json');
  expect(answer.headers['cache-control']).toBe('no-cache');
  return answer.json();
}

test('gives the app the names and lines of its installation', async () => {
  const names = { BRAND_LABEL: 'Northern Power', LOCATION_LINE: 'Dhaka', COMPANY_LABEL: 'Northern Power Ltd' };
  expect(await told(names)).toMatchObject({
    brandLabel: 'Northern Power',
    locationLine: 'Dhaka',
    companyLabel: 'Northern Power Ltd',
  });
});

test('offers a mail for forgotten passwords if the server sends mail and keeps the accounts', async () => {
  expect((await told({})).forgotPasswordAddress).toBe('');
  expect((await told(MAIL)).forgotPasswordAddress).toBe('/forgot-password');
  expect((await told({ ...MAIL, API_URL: 'https://api.example.com' })).forgotPasswordAddress).toBe('');
});

test('prefers a configured address for forgotten passwords over the server’s own page', async () => {
  const FORGOT_PASSWORD_ADDRESS = 'https://example.com/help';
  expect((await told({ ...MAIL, FORGOT_PASSWORD_ADDRESS })).forgotPasswordAddress).toBe(FORGOT_PASSWORD_ADDRESS);
});

test('gives the app the address of the logo on this site, not its path on the server', async () => {
  const path = join(await freshFolder(), 'Brand.PNG');
  await writeFile(path, 'a picture');
  const app = serverOf((own) => settingsRoute(own, testSettings({ LOGO_PATH: path })));
  expect((await app.inject('/settings.json')).json().logoPath).toBe('/uploads/logo.png');
  const { headers, body } = await app.inject('/uploads/logo.png');
  expect([headers['content-type'], headers['cache-control'], body]).toEqual(['image/png', 'no-cache', 'a picture']);
  expect((await told({ LOGO_PATH: '/icons/icon.svg' })).logoPath).toBe('/icons/icon.svg');
  expect((await told({})).logoPath).toBe('');
});

test('tells the app where the public site is and how its pages are named', async () => {
  const environment = { SITE_URL: 'https://www.example.com/', SITE_PATHS: 'ups=/u/{id}' };
  expect(await told(environment)).toMatchObject({ siteUrl: 'https://www.example.com', sitePaths: 'ups=/u/{id}' });
});
