/** How the text of a setting is read. */
export type SettingKind =
  | 'text'
  | 'host'
  | 'switch'
  | 'number'
  | 'path'
  | 'email'
  | 'password'
  | 'secret'
  | 'token'
  | 'web-address'
  | 'database'
  | 'bucket'
  | 'mail-server'
  | 'list'
  | 'level'
  | 'logo';

export interface Setting {
  /** The environment variable. */
  readonly name: string;
  readonly kind: SettingKind;
  /** The value where the variable is absent or empty. */
  readonly fallback: string;
  readonly meaning: string;
  /** Bounds of a number, both allowed. */
  readonly least?: number;
  readonly most?: number;
}

/** Every setting of an installation: read from the environment, checked at start, listed in the README. */
export const SETTINGS = [
  { name: 'HOST', kind: 'text', fallback: '127.0.0.1', meaning: 'Address to listen on; 0.0.0.0 for every network.' },
  { name: 'PORT', kind: 'number', fallback: '3000', least: 0, most: 65_535, meaning: 'Port to listen on.' },
  { name: 'DATA_DIR', kind: 'path', fallback: './data', meaning: 'Folder of the database and the uploaded files.' },
  {
    name: 'DATABASE_URL',
    kind: 'database',
    fallback: '',
    meaning:
      'PostgreSQL that keeps records and files instead of DATA_DIR, for several servers too: postgres://user:password@host/name?sslmode=verify-full.',
  },
  {
    name: 'UPLOADS_URL',
    kind: 'bucket',
    fallback: '',
    meaning:
      'Object storage (S3) that keeps the files instead of DATABASE_URL: s3://bucket/folder?endpoint=https://storage.example.com&region=eu-1. Keys: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  },
  {
    name: 'DATABASE_CONNECTIONS',
    kind: 'number',
    fallback: '10',
    least: 2,
    most: 1000,
    meaning: 'Most connections of one server to DATABASE_URL, beside the one that it listens on.',
  },
  {
    name: 'FILE_CACHE_MB',
    kind: 'number',
    fallback: '2048',
    least: 1,
    most: 1_000_000,
    meaning: 'Most that a server keeps in DATA_DIR of files that last elsewhere, in megabytes.',
  },
  { name: 'APP_DIR', kind: 'path', fallback: './dist', meaning: 'Folder of the built app.' },
  { name: 'ADMIN_EMAIL', kind: 'email', fallback: '', meaning: 'First administrator, made at the first start.' },
  {
    name: 'ADMIN_PASSWORD',
    kind: 'password',
    fallback: '',
    meaning: 'Password of the first administrator, at least 12 characters. Made up and printed once when absent.',
  },
  { name: 'ADMIN_NAME', kind: 'text', fallback: 'Administrator', meaning: 'Name of the first administrator.' },
  { name: 'BRAND_LABEL', kind: 'text', fallback: 'Voltdesk', meaning: 'Brand in the header of the sidebar.' },
  { name: 'LOCATION_LINE', kind: 'text', fallback: '', meaning: 'City and country under the brand.' },
  { name: 'COMPANY_LABEL', kind: 'text', fallback: 'Power Company', meaning: 'Company in the top bar.' },
  {
    name: 'LOGO_PATH',
    kind: 'logo',
    fallback: '',
    meaning:
      "Logo of the sidebar: an image file, or an address that begins with /uploads/ or /icons/. Absent: the app's own.",
  },
  {
    name: 'FORGOT_PASSWORD_ADDRESS',
    kind: 'web-address',
    fallback: '',
    meaning:
      'Page that the link "Forgot password" leads to. Absent: a new one comes by mail, or without SMTP_URL from another administrator.',
  },
  {
    name: 'SMTP_URL',
    kind: 'mail-server',
    fallback: '',
    meaning:
      'Mail server for invitations and new passwords, such as smtps://user:password@mail.example.com. Needs PUBLIC_HOST.',
  },
  {
    name: 'MAIL_FROM',
    kind: 'email',
    fallback: '',
    meaning: 'Sender of these mails. Absent: voltdesk@ with the name in PUBLIC_HOST.',
  },
  {
    name: 'API_URL',
    kind: 'web-address',
    fallback: '',
    meaning: 'An existing back end of the contract: this server then stands in front of it as a gateway.',
  },
  {
    name: 'API_MAX_REQUEST_MB',
    kind: 'number',
    fallback: '12',
    least: 1,
    most: 1000,
    meaning: 'Largest request that the existing back end takes, in megabytes (post_max_size).',
  },
  {
    name: 'API_MAX_FILES',
    kind: 'number',
    fallback: '20',
    least: 1,
    most: 1000,
    meaning: 'Most files that the existing back end takes in one request (max_file_uploads).',
  },
  {
    name: 'TRUSTED_PROXIES',
    kind: 'list',
    fallback: '',
    meaning: 'Addresses of proxies in front, separated by commas, whose X-Forwarded-* headers are believed.',
  },
  {
    name: 'PUBLIC_HOST',
    kind: 'host',
    fallback: '',
    meaning: 'The one host name that is answered, such as back-office.example.com. Absent: every name.',
  },
  {
    name: 'HSTS_SUBDOMAINS',
    kind: 'switch',
    fallback: 'no',
    meaning: 'Whether browsers are to insist on TLS for names below this one too: yes or no.',
  },
  { name: 'MAX_FILE_MB', kind: 'number', fallback: '10', least: 1, most: 200, meaning: 'Largest file, in megabytes.' },
  {
    name: 'MAX_REQUEST_MB',
    kind: 'number',
    fallback: '256',
    least: 1,
    most: 1000,
    meaning: 'Largest request with all its files, in megabytes.',
  },
  {
    name: 'STAGING_MB',
    kind: 'number',
    fallback: '512',
    least: 1,
    most: 100_000,
    meaning: 'Most that one person may have uploaded ahead of the changes it belongs to, in megabytes.',
  },
  { name: 'MAX_FILES', kind: 'number', fallback: '200', least: 1, most: 1000, meaning: 'Most files in one request.' },
  {
    name: 'LIVE_CONNECTIONS',
    kind: 'number',
    fallback: '10',
    least: 0,
    most: 1000,
    meaning: 'Browsers of one person that are told of changes at once. The others, with 0 all, ask once a minute.',
  },
  {
    name: 'BACKUP_DIR',
    kind: 'path',
    fallback: '',
    meaning: 'Folder that the server writes backups to by itself. Absent: it makes none.',
  },
  {
    name: 'BACKUP_EVERY_HOURS',
    kind: 'number',
    fallback: '24',
    least: 1,
    most: 168,
    meaning: 'Hours from one backup to the next. Health says when one is overdue.',
  },
  {
    name: 'BACKUP_KEEP',
    kind: 'number',
    fallback: '14',
    least: 1,
    most: 1000,
    meaning: 'Backups that stay in BACKUP_DIR.',
  },
  {
    name: 'BACKUP_KEY',
    kind: 'secret',
    fallback: '',
    meaning:
      'Secret that backups are encrypted with, at least 20 characters. Needed again to restore: keep it elsewhere.',
  },
  {
    name: 'METRICS',
    kind: 'switch',
    fallback: 'no',
    meaning: 'Whether /metrics tells figures for Prometheus, to programs on this machine: yes or no.',
  },
  {
    name: 'METRICS_TOKEN',
    kind: 'token',
    fallback: '',
    meaning: 'Bearer token that opens /metrics to other machines too, at least 20 characters.',
  },
  {
    name: 'LOG_LEVEL',
    kind: 'level',
    fallback: 'info',
    meaning: 'How much is logged: fatal, error, warn, info, debug, trace or silent.',
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]['name'];

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
