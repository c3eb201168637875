import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../server/settings/settings.ts';

const MEGABYTE = 1024 * 1024;

const DEFAULTS = {
  host: '127.0.0.1',
  port: 3000,
  dataDir: resolve('data'),
  databaseUrl: '',
  uploadsUrl: '',
  databaseConnections: 10,
  fileCacheBytes: 2048 * MEGABYTE,
  appDir: resolve('dist'),
  adminEmail: '',
  adminPassword: '',
  adminName: 'Administrator',
  brandLabel: 'Voltdesk',
  locationLine: '',
  companyLabel: 'Power Company',
  logoPath: '',
  forgotPasswordAddress: '',
  smtpUrl: '',
  mailFrom: 'voltdesk@',
  apiUrl: '',
  apiMaxRequestBytes: 12 * MEGABYTE,
  apiMaxFiles: 20,
  trustedProxies: [],
  publicHost: '',
  hstsSubdomains: false,
  maxFileBytes: 10 * MEGABYTE,
  maxRequestBytes: 256 * MEGABYTE,
  maxFiles: 200,
  liveConnections: 10,
  maxStagedBytes: 512 * MEGABYTE,
  backupDir: '',
  backupUrl: '',
  backupEveryHours: 24,
  backupKeep: 14,
  backupKey: '',
  trashDays: 30,
  content: 'off',
  contentOrigins: [],
  contentPerMinute: 600,
  webhooksInside: false,
  siteUrl: '',
  sitePaths: '',
  metrics: false,
  metricsToken: '',
  logLevel: 'info',
};

test('listens on this machine only, keeps its own records and makes no backups without any settings', () => {
  expect(readSettings({})).toEqual(DEFAULTS);
});

const TOKEN = 'a-token-of-twenty-letters';

test.each([
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['PORT', '0', { port: 0 }],
  ['DATA_DIR', 'elsewhere', { dataDir: resolve('elsewhere') }],
  ['DATABASE_URL', 'postgres://a:b@db/desk', { databaseUrl: 'postgres://a:b@db/desk' }],
  ['DATABASE_CONNECTIONS', '2', { databaseConnections: 2 }],
  ['FILE_CACHE_MB', '1', { fileCacheBytes: MEGABYTE }],
  ['APP_DIR', '/srv/app', { appDir: '/srv/app' }],
  ['ADMIN_EMAIL', 'a@example.com', { adminEmail: 'a@example.com' }],
  ['ADMIN_PASSWORD', 'twelve chars', { adminPassword: 'twelve chars' }],
  ['ADMIN_NAME', 'Somebody', { adminName: 'Somebody' }],
  ['BRAND_LABEL', 'Northern', { brandLabel: 'Northern' }],
  ['LOCATION_LINE', 'Dhaka', { locationLine: 'Dhaka' }],
  ['COMPANY_LABEL', 'Company', { companyLabel: 'Company' }],
  ['LOGO_PATH', '/icons/icon.svg', { logoPath: '/icons/icon.svg' }],
  ['FORGOT_PASSWORD_ADDRESS', 'https://a.example/x', { forgotPasswordAddress: 'https://a.example/x' }],
  ['MAIL_FROM', 'desk@example.com', { mailFrom: 'desk@example.com' }],
  ['API_URL', 'http://api.example.com/base/', { apiUrl: 'http://api.example.com/base' }],
  ['API_MAX_REQUEST_MB', '1', { apiMaxRequestBytes: MEGABYTE }],
  ['API_MAX_FILES', '1', { apiMaxFiles: 1 }],
  ['TRUSTED_PROXIES', '10.0.0.0/0 ::1', { trustedProxies: ['10.0.0.0/0', '::1'] }],
  ['PUBLIC_HOST', 'Desk.example.com', { publicHost: 'desk.example.com', mailFrom: 'voltdesk@Desk.example.com' }],
  ['HSTS_SUBDOMAINS', 'yes', { hstsSubdomains: true }],
  ['MAX_FILE_MB', '1', { maxFileBytes: MEGABYTE }],
  ['MAX_FILE_MB', '200', { maxFileBytes: 200 * MEGABYTE }],
  ['MAX_REQUEST_MB', '10', { maxRequestBytes: 10 * MEGABYTE }],
  ['STAGING_MB', '10', { maxStagedBytes: 10 * MEGABYTE }],
  ['MAX_FILES', '1', { maxFiles: 1 }],
  ['LIVE_CONNECTIONS', '0', { liveConnections: 0 }],
  ['BACKUP_DIR', 'backups', { backupDir: resolve('backups') }],
  ['BACKUP_URL', 's3://b/c', { backupUrl: 's3://b/c' }],
  ['BACKUP_EVERY_HOURS', '168', { backupEveryHours: 168 }],
  ['BACKUP_KEEP', '1', { backupKeep: 1 }],
  ['BACKUP_KEY', 'exactly 20 letters..', { backupKey: 'exactly 20 letters..' }],
  ['TRASH_DAYS', '0', { trashDays: 0 }],
  ['CONTENT', 'public', { content: 'public' }],
  ['CONTENT_ORIGINS', 'https://A.example *', { contentOrigins: ['https://a.example', '*'] }],
  ['CONTENT_PER_MINUTE', '1', { contentPerMinute: 1 }],
  ['WEBHOOKS_INSIDE', 'yes', { webhooksInside: true }],
  ['SITE_URL', 'https://www.example.com/', { siteUrl: 'https://www.example.com' }],
  ['METRICS', 'yes', { metrics: true }],
  ['METRICS_TOKEN', TOKEN, { metricsToken: TOKEN }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
])('changes only its own setting with %s=%s', (name, text, changed) => {
  expect(readSettings({ [name]: text })).toEqual({ ...DEFAULTS, ...changed });
});

test('requires a database for UPLOADS_URL, and a public host for SMTP_URL', () => {
  const bucket = 's3://desk?endpoint=https://storage.example.com&region=eu-1';
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  expect(() => readSettings({ ...keys, UPLOADS_URL: bucket })).toThrow('UPLOADS_URL: needs DATABASE_URL.');
  const SMTP_URL = 'smtps://a:b@mail.example.com';
  expect(() => readSettings({ SMTP_URL })).toThrow('SMTP_URL: needs PUBLIC_HOST');
  expect(readSettings({ SMTP_URL, PUBLIC_HOST: 'desk.example.com' })).toEqual({
    ...DEFAULTS,
    smtpUrl: SMTP_URL,
    publicHost: 'desk.example.com',
    mailFrom: 'voltdesk@desk.example.com',
  });
});

test.each([
  ['PORT', 0, 65_535],
  ['DATABASE_CONNECTIONS', 2, 1000],
  ['FILE_CACHE_MB', 1, 1_000_000],
  ['API_MAX_REQUEST_MB', 1, 1000],
  ['API_MAX_FILES', 1, 1000],
  ['MAX_FILE_MB', 1, 200],
  ['MAX_REQUEST_MB', 1, 1000],
  ['STAGING_MB', 1, 100_000],
  ['MAX_FILES', 1, 1000],
  ['LIVE_CONNECTIONS', 0, 1000],
  ['BACKUP_EVERY_HOURS', 1, 168],
  ['BACKUP_KEEP', 1, 1000],
  ['TRASH_DAYS', 0, 3650],
])('accepts for %s a whole number from %i to %i', (name, least, most) => {
  // so that no other limit interferes
  const roomy = { MAX_FILE_MB: '1', MAX_REQUEST_MB: '1000', STAGING_MB: '100000' };
  for (const good of [least, most]) expect(() => readSettings({ ...roomy, [name]: String(good) })).not.toThrow();
  for (const bad of [String(least - 1), String(most + 1), `${least}.5`, '1e1', 'many'])
    expect(() => readSettings({ ...roomy, [name]: bad })).toThrow(
      `  ${name}: "${bad}" is not a whole number from ${least} to ${most}.`,
    );
});

test.each([
  ['PUBLIC_HOST', 'https://a.example', 'is not a host name without protocol and port'],
  ['PUBLIC_HOST', 'a.example:443', 'is not a host name without protocol and port'],
  ['PUBLIC_HOST', 'a.example b.example', 'is not a host name without protocol and port'],
  ['METRICS', 'true', 'is neither yes nor no'],
  ['ADMIN_EMAIL', 'nobody', 'is not an email address'],
  ['ADMIN_EMAIL', 'a@b@example.com', 'is not an email address'],
  ['MAIL_FROM', 'a b@example.com', 'is not an email address'],
  ['MAIL_FROM', 'a@example.com b', 'is not an email address'],
  ['ADMIN_PASSWORD', 'eleven char', 'at least 12 characters'],
  ['METRICS_TOKEN', 'nineteen-characters', 'shorter than 20 characters'],
  ['BACKUP_KEY', 'nineteen characters', 'shorter than 20 characters'],
  ['API_URL', 'ftp://api.example.com', 'is not an address with http:// or https://'],
  ['FORGOT_PASSWORD_ADDRESS', 'javascript:alert(1)', 'is not an address with http:// or https://'],
  ['SMTP_URL', 'https://mail.example.com', 'not an address with smtp:// or smtps://'],
  ['TRUSTED_PROXIES', '10.0.0.1, proxy', 'not an address or a network: proxy.'],
  ['TRUSTED_PROXIES', '10.0.0.1/x', 'not an address or a network: 10.0.0.1/x.'],
  ['TRUSTED_PROXIES', '10.0.0.1/', 'not an address or a network: 10.0.0.1/.'],
  ['TRUSTED_PROXIES', '10.0.0.1/1e1', 'not an address or a network: 10.0.0.1/1e1.'],
  ['LOG_LEVEL', 'loud', 'is none of fatal, error, warn, info, debug, trace, silent'],
])('refuses %s=%s: %s', (name, text, words) => {
  expect(() => readSettings({ [name]: text, ...(name === 'SMTP_URL' ? { PUBLIC_HOST: 'a.example' } : {}) })).toThrow(
    words,
  );
});

test('names all invalid settings at once', () => {
  expect(() => readSettings({ PORT: 'x', METRICS: 'x', STAGING_MB: '1' })).toThrow(
    /^These settings cannot be used:\n {2}PORT: .+\n {2}METRICS: .+\n {2}STAGING_MB: .+$/,
  );
});
