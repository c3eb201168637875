import { expect, test } from 'vitest';
import { readSettings } from '../../server/settings/settings.ts';

const MEGABYTE = 1024 * 1024;

test('reads settings without surrounding blanks, sizes in megabytes, and a blank one as missing', () => {
  const mail = { SMTP_URL: 'smtp://mail.example.com', PUBLIC_HOST: ' Back-Office.Example.com ' };
  const numbers = { BACKUP_KEEP: '3', BACKUP_EVERY_HOURS: '7', API_MAX_FILES: '5', MAX_FILES: '9', STAGING_MB: '20' };
  const limits = { API_MAX_REQUEST_MB: '6', FILE_CACHE_MB: '64', MAX_FILE_MB: '8', MAX_REQUEST_MB: '8' };
  expect(readSettings({ ...mail, ...numbers, ...limits, HOST: ' ', LIVE_CONNECTIONS: '0' })).toMatchObject({
    host: readSettings({}).host,
    publicHost: 'back-office.example.com',
    mailFrom: 'voltdesk@Back-Office.Example.com',
    backupKeep: 3,
    backupEveryHours: 7,
    apiMaxFiles: 5,
    maxFiles: 9,
    maxStagedBytes: 20 * MEGABYTE,
    apiMaxRequestBytes: 6 * MEGABYTE,
    fileCacheBytes: 64 * MEGABYTE,
    maxFileBytes: 8 * MEGABYTE,
    maxRequestBytes: 8 * MEGABYTE,
    liveConnections: 0,
  });
  expect(readSettings({ ...mail, MAIL_FROM: 'desk@example.com' }).mailFrom).toBe('desk@example.com');
  expect(readSettings({ API_URL: 'https://api.example.com/base//' }).apiUrl).toBe('https://api.example.com/base');
  const proxies = readSettings({ TRUSTED_PROXIES: '10.0.0.1, fd00::/128,192.0.2.0/32' }).trustedProxies;
  expect(proxies).toEqual(['10.0.0.1', 'fd00::/128', '192.0.2.0/32']);
});

test.each([
  [
    { DATA_DIR: '/srv/data', LOGO_PATH: '/srv/data/uploads/logo.png' },
    'LOGO_PATH: "/srv/data/uploads/logo.png" is in the uploads folder, where files without a record are removed. Move it elsewhere.',
  ],
  [{ MAX_FILES: '1001' }, 'MAX_FILES: "1001" is not a whole number from 1 to 1000.'],
  [{ MAX_FILES: '0' }, 'MAX_FILES: "0" is not a whole number from 1 to 1000.'],
  [{ TRUSTED_PROXIES: '192.0.2.0/33' }, 'TRUSTED_PROXIES: not an address or a network: 192.0.2.0/33.'],
  [{ TRUSTED_PROXIES: 'fd00::/129' }, 'TRUSTED_PROXIES: not an address or a network: fd00::/129.'],
  [{ BACKUP_DIR: '/backups', API_URL: 'https://api.example.com' }, 'BACKUP_DIR: with API_URL'],
  [{ STAGING_MB: '9' }, 'STAGING_MB: less than MAX_FILE_MB'],
  [{ MAX_REQUEST_MB: '9' }, 'MAX_REQUEST_MB: less than MAX_FILE_MB'],
  [{ DATABASE_URL: 'postgres://a:b@db/' }, 'DATABASE_URL: names no database'],
  [{ METRICS_TOKEN: 'twenty characters and a blank' }, 'METRICS_TOKEN: shorter than 20 characters, or with a blank.'],
  [{ SITE_URL: 'ftp://example.com' }, 'SITE_URL: "ftp://example.com" is not an address'],
  [{ SITE_PATHS: 'ups=/u/{id}' }, 'SITE_PATHS: needs SITE_URL'],
  [
    { SITE_URL: 'https://example.com', SITE_PATHS: 'ups=/u/{id}, toys=/t/{id}' },
    'SITE_PATHS: not a kind and a path such as generators=/products/{id}: toys=/t/{id}. Kinds: sliders, projects,',
  ],
  [{ HSTS_SUBDOMAINS: 'true' }, 'HSTS_SUBDOMAINS: "true" is neither yes nor no.'],
])('names the invalid setting in %j', (environment, words) => {
  expect(() => readSettings(environment)).toThrow(words);
});
