import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { badSitePaths, type SiteSettings } from '../../src/domain/site-pages.ts';
import { addressProblem } from './database-address.ts';
import { isEmailAddress } from '../accounts/email-address.ts';
import { isAmongUploads, logoProblem } from './logo.ts';
import { bucketProblem } from '../uploads/bucket-address.ts';
import { lengthProblem } from '../security/password-rules.ts';
import { SETTINGS, type Setting, type SettingName } from './settings-table.ts';

/** Who may read the content API. */
export type ContentAccess = 'off' | 'public' | 'token';

/** The validated settings of an installation. An empty string means "not set". */
export interface Settings extends SiteSettings {
  readonly host: string;
  readonly port: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** Empty for the embedded database. Contains a password. */
  readonly databaseUrl: string;
  /** Empty if files are stored with the records. */
  readonly uploadsUrl: string;
  /** Maximum number of connections to the database. */
  readonly databaseConnections: number;
  /** Size of the local cache of files that are stored elsewhere. */
  readonly fileCacheBytes: number;
  /** Absolute path. */
  readonly appDir: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
  readonly adminName: string;
  readonly brandLabel: string;
  readonly locationLine: string;
  readonly companyLabel: string;
  readonly logoPath: string;
  readonly forgotPasswordAddress: string;
  /** Empty if no mail is sent. */
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly apiUrl: string;
  /** Maximum size of a request to the existing back end. */
  readonly apiMaxRequestBytes: number;
  readonly apiMaxFiles: number;
  /** Addresses or networks (CIDR). */
  readonly trustedProxies: readonly string[];
  /** Lower case. Empty to answer to any name. */
  readonly publicHost: string;
  readonly hstsSubdomains: boolean;
  readonly maxFileBytes: number;
  readonly maxRequestBytes: number;
  readonly maxFiles: number;
  readonly liveConnections: number;
  /** Maximum total size of one person's staged files. */
  readonly maxStagedBytes: number;
  /** Empty for no backups. Absolute path otherwise. */
  readonly backupDir: string;
  /** The bucket for backups. Empty for none. */
  readonly backupUrl: string;
  readonly backupEveryHours: number;
  readonly backupKeep: number;
  readonly backupKey: string;
  /** For how many days deleted records are kept. 0 to delete them at once. */
  readonly trashDays: number;
  readonly content: ContentAccess;
  /** Origins in lower case, or `*`. */
  readonly contentOrigins: readonly string[];
  /** Maximum calls per address. */
  readonly contentPerMinute: number;
  readonly webhooksInside: boolean;
  readonly metrics: boolean;
  readonly metricsToken: string;
  readonly logLevel: string;
}

/** Invalid settings. The message names every one of them. */
export class SettingsError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

const MEGABYTE = 1024 * 1024;
/** Minimum length of a secret. Programs use secrets, so length costs nobody anything. */
const SHORTEST_SECRET = 20;

/** Reads the settings from environment variables. Throws one SettingsError that names every bad one. */
export function readSettings(environment: Environment): Settings {
  const text = (name: SettingName) => textOf(environment, settingOf(name));
  const number = (name: SettingName) => Number(text(name));
  const problems = SETTINGS.flatMap((setting) => problemOf(setting, textOf(environment, setting)));
  if (number('MAX_FILE_MB') > number('MAX_REQUEST_MB')) {
    problems.push('  MAX_REQUEST_MB: less than MAX_FILE_MB, so the largest file would not fit.');
  }
  if (number('MAX_FILE_MB') > number('STAGING_MB')) {
    problems.push('  STAGING_MB: less than MAX_FILE_MB, so the largest file would not fit.');
  }
  if (text('SMTP_URL') !== '' && text('PUBLIC_HOST') === '') {
    problems.push('  SMTP_URL: needs PUBLIC_HOST, the name that the links in mails lead to.');
  }
  for (const name of ['BACKUP_DIR', 'BACKUP_URL'] as const) {
    if (text(name) !== '' && text('API_URL') !== '')
      problems.push(`  ${name}: with API_URL the records are in the back end, whose own backups keep them.`);
  }
  if (text('CONTENT') !== 'off' && text('API_URL') !== '') {
    problems.push('  CONTENT: with API_URL the records are in the back end, which the public site reads itself.');
  }
  if (text('SITE_PATHS') !== '' && text('SITE_URL') === '') {
    problems.push('  SITE_PATHS: needs SITE_URL, the address that the paths follow.');
  }
  if (text('UPLOADS_URL') !== '' && text('DATABASE_URL') === '') {
    problems.push(
      '  UPLOADS_URL: needs DATABASE_URL. With the embedded database, files are stored in the data folder.',
    );
  }
  if (text('DATABASE_URL') !== '' && text('API_URL') !== '') {
    problems.push('  DATABASE_URL: with API_URL the records are in the back end, and this server keeps none.');
  }
  const hasUploadsFolder = text('DATABASE_URL') === '' && text('API_URL') === '';
  if (hasUploadsFolder && isAmongUploads(text('LOGO_PATH'), text('DATA_DIR'))) {
    problems.push(
      `  LOGO_PATH: "${text('LOGO_PATH')}" is in the uploads folder, where files without a record are removed. Move it elsewhere.`,
    );
  }
  if (problems.length > 0) throw new SettingsError(`These settings cannot be used:\n${problems.join('\n')}`);
  return {
    host: text('HOST'),
    port: number('PORT'),
    dataDir: resolve(text('DATA_DIR')),
    databaseUrl: text('DATABASE_URL'),
    uploadsUrl: text('UPLOADS_URL'),
    databaseConnections: number('DATABASE_CONNECTIONS'),
    fileCacheBytes: number('FILE_CACHE_MB') * MEGABYTE,
    appDir: resolve(text('APP_DIR')),
    adminEmail: text('ADMIN_EMAIL'),
    adminPassword: text('ADMIN_PASSWORD'),
    adminName: text('ADMIN_NAME'),
    brandLabel: text('BRAND_LABEL'),
    locationLine: text('LOCATION_LINE'),
    companyLabel: text('COMPANY_LABEL'),
    logoPath: text('LOGO_PATH'),
    forgotPasswordAddress: text('FORGOT_PASSWORD_ADDRESS'),
    smtpUrl: text('SMTP_URL'),
    mailFrom: text('MAIL_FROM') || `voltdesk@${text('PUBLIC_HOST')}`,
    apiUrl: withoutSlash(text('API_URL')),
    apiMaxRequestBytes: number('API_MAX_REQUEST_MB') * MEGABYTE,
    apiMaxFiles: number('API_MAX_FILES'),
    trustedProxies: listOf(text('TRUSTED_PROXIES')),
    publicHost: text('PUBLIC_HOST').toLowerCase(),
    hstsSubdomains: text('HSTS_SUBDOMAINS') === 'yes',
    maxFileBytes: number('MAX_FILE_MB') * MEGABYTE,
    maxRequestBytes: number('MAX_REQUEST_MB') * MEGABYTE,
    maxFiles: number('MAX_FILES'),
    liveConnections: number('LIVE_CONNECTIONS'),
    maxStagedBytes: number('STAGING_MB') * MEGABYTE,
    backupDir: text('BACKUP_DIR') === '' ? '' : resolve(text('BACKUP_DIR')),
    backupUrl: text('BACKUP_URL'),
    backupEveryHours: number('BACKUP_EVERY_HOURS'),
    backupKeep: number('BACKUP_KEEP'),
    backupKey: text('BACKUP_KEY'),
    trashDays: number('TRASH_DAYS'),
    content: text('CONTENT') as ContentAccess,
    contentOrigins: listOf(text('CONTENT_ORIGINS').toLowerCase()),
    contentPerMinute: number('CONTENT_PER_MINUTE'),
    webhooksInside: text('WEBHOOKS_INSIDE') === 'yes',
    siteUrl: withoutSlash(text('SITE_URL')),
    sitePaths: text('SITE_PATHS'),
    metrics: text('METRICS') === 'yes',
    metricsToken: text('METRICS_TOKEN'),
    logLevel: text('LOG_LEVEL'),
  };
}

function settingOf(name: SettingName): Setting {
  const setting = SETTINGS.find((one) => one.name === name);
  if (setting === undefined) throw new Error(`There is no setting named ${name}.`);
  return setting;
}

function textOf(environment: Environment, setting: Setting): string {
  return environment[setting.name]?.trim() || setting.fallback;
}

function problemOf(setting: Setting, text: string): string[] {
  if (text === '') return [];
  const problem = CHECKS[setting.kind](text, setting);
  return problem === undefined ? [] : [`  ${setting.name}: ${problem}`];
}

type Check = (text: string, setting: Setting) => string | undefined;

const CHECKS: { readonly [K in Setting['kind']]: Check } = {
  text: () => undefined,
  path: () => undefined,
  host: (text) => (/^[\w.-]+$/.test(text) ? undefined : `"${text}" is not a host name without protocol and port.`),
  switch: (text) => (text === 'yes' || text === 'no' ? undefined : `"${text}" is neither yes nor no.`),
  number: (text, { least = 0, most = Number.MAX_SAFE_INTEGER }) =>
    /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most
      ? undefined
      : `"${text}" is not a whole number from ${least} to ${most}.`,
  email: (text) => (isEmailAddress(text) ? undefined : `"${text}" is not an email address.`),
  password: (text) => lengthProblem(text),
  token: (text) =>
    text.length >= SHORTEST_SECRET && !/\s/.test(text)
      ? undefined
      : `shorter than ${SHORTEST_SECRET} characters, or with a blank.`,
  secret: (text) => (text.length >= SHORTEST_SECRET ? undefined : `shorter than ${SHORTEST_SECRET} characters.`),
  'web-address': (text) => (isWebAddress(text) ? undefined : `"${text}" is not an address with http:// or https://.`),
  database: addressProblem,
  bucket: bucketProblem,
  'mail-server': (text) =>
    ['smtp:', 'smtps:'].includes(URL.parse(text)?.protocol ?? '')
      ? undefined
      : 'not an address with smtp:// or smtps://.',
  list: (text) => {
    const bad = listOf(text).filter((part) => !isNetwork(part));
    return bad.length === 0 ? undefined : `not an address or a network: ${bad.join(', ')}.`;
  },
  logo: logoProblem,
  origins: (text) => {
    const bad = listOf(text).filter((part) => part !== '*' && !isOrigin(part));
    return bad.length === 0 ? undefined : `not an origin such as https://www.example.com: ${bad.join(', ')}.`;
  },
  'site-paths': (text) => {
    const bad = badSitePaths(text, KINDS);
    return bad.length === 0
      ? undefined
      : `not a kind and a path such as generators=/products/{id}: ${bad.join(', ')}. Kinds: ${KINDS.join(', ')}.`;
  },
  choice: (text, { options = [] }) =>
    options.includes(text) ? undefined : `"${text}" is none of ${options.join(', ')}.`,
};

/** Kinds of record that a page can show. */
const KINDS: readonly string[] = [...RESOURCES, siteMeta].map(({ name }) => name);

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

function isWebAddress(text: string): boolean {
  const address = URL.parse(text);
  return address !== null && ['http:', 'https:'].includes(address.protocol);
}

/** True for protocol, host and optional port, without a path. */
function isOrigin(text: string): boolean {
  return isWebAddress(text) && URL.parse(text)?.origin === text.toLowerCase();
}

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const version = isIP(address);
  if (version === 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
