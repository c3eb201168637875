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
  | 'origins'
  | 'site-paths'
  | 'choice'
  | 'logo';

export interface Setting {
  /** The environment variable. */
  readonly name: string;
  readonly kind: SettingKind;
  /** The value if the variable is absent or empty. */
  readonly fallback: string;
  readonly meaning: string;
  /** Bounds of a number, both allowed. */
  readonly least?: number;
  readonly most?: number;
  /** The values of a choice. */
  readonly options?: readonly string[];
}

/** Every setting of an installation: read from the environment, checked at start, listed in the README. */
export const SETTINGS = [
  {
    name: 'HOST',
    kind: 'text',
    fallback: '127.0.0.1',
    meaning: 'Address to listen on. 0.0.0.0 listens on all interfaces.',
  },
  { name: 'PORT', kind: 'number', fallback: '3000', least: 0, most: 65_535, meaning: 'Port to listen on.' },
  { name: 'DATA_DIR', kind: 'path', fallback: './data', meaning: 'Folder for the database and uploaded files.' },
  {
    name: 'DATABASE_URL',
    kind: 'database',
    fallback: '',
    meaning:
      'PostgreSQL database for records and files instead of DATA_DIR, which several servers can share: postgres://user:password@host/name?sslmode=verify-full.',
  },
  {
    name: 'UPLOADS_URL',
    kind: 'bucket',
    fallback: '',
    meaning:
      'Object storage (S3) for the files of an installation with DATABASE_URL: s3://bucket/folder?endpoint=https://storage.example.com&region=eu-1. Keys: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  },
  {
    name: 'DATABASE_CONNECTIONS',
    kind: 'number',
    fallback: '10',
    least: 2,
    most: 1000,
    meaning: 'Maximum connections per server to DATABASE_URL, besides the one it listens on.',
  },
  {
    name: 'FILE_CACHE_MB',
    kind: 'number',
    fallback: '2048',
    least: 1,
    most: 1_000_000,
    meaning: 'Size of the cache in DATA_DIR for files stored elsewhere, in megabytes.',
  },
  { name: 'APP_DIR', kind: 'path', fallback: './dist', meaning: 'Folder of the built app.' },
  {
    name: 'ADMIN_EMAIL',
    kind: 'email',
    fallback: '',
    meaning: 'Email of the first administrator, who is created at the first start. Absent: admin@example.com.',
  },
  {
    name: 'ADMIN_PASSWORD',
    kind: 'password',
    fallback: '',
    meaning: 'Password of the first administrator, at least 12 characters. Absent: generated and printed once.',
  },
  { name: 'ADMIN_NAME', kind: 'text', fallback: 'Administrator', meaning: 'Name of the first administrator.' },
  { name: 'BRAND_LABEL', kind: 'text', fallback: 'Voltdesk', meaning: 'Brand name in the header of the sidebar.' },
  { name: 'LOCATION_LINE', kind: 'text', fallback: '', meaning: 'City and country below the brand.' },
  { name: 'COMPANY_LABEL', kind: 'text', fallback: 'Power Company', meaning: 'Company name in the top bar.' },
  {
    name: 'LOGO_PATH',
    kind: 'logo',
    fallback: '',
    meaning:
      "Logo in the sidebar: an image file, or an address that starts with /uploads/ or /icons/. Absent: the app's own.",
  },
  {
    name: 'FORGOT_PASSWORD_ADDRESS',
    kind: 'web-address',
    fallback: '',
    meaning:
      'Page that "Forgot password" links to. Absent: passwords are reset by email, or without SMTP_URL by another administrator.',
  },
  {
    name: 'SMTP_URL',
    kind: 'mail-server',
    fallback: '',
    meaning:
      'Mail server for invitations and password resets, such as smtps://user:password@mail.example.com. Needs PUBLIC_HOST.',
  },
  {
    name: 'MAIL_FROM',
    kind: 'email',
    fallback: '',
    meaning: 'Sender of these emails. Absent: voltdesk@ followed by PUBLIC_HOST.',
  },
  {
    name: 'API_URL',
    kind: 'web-address',
    fallback: '',
    meaning: 'Address of an existing back end of the contract. This server is then a gateway in front of it.',
  },
  {
    name: 'API_MAX_REQUEST_MB',
    kind: 'number',
    fallback: '12',
    least: 1,
    most: 1000,
    meaning: 'Maximum request size of the existing back end, in megabytes (post_max_size).',
  },
  {
    name: 'API_MAX_FILES',
    kind: 'number',
    fallback: '20',
    least: 1,
    most: 1000,
    meaning: 'Maximum files per request of the existing back end (max_file_uploads).',
  },
  {
    name: 'TRUSTED_PROXIES',
    kind: 'list',
    fallback: '',
    meaning: 'Comma-separated addresses of reverse proxies whose X-Forwarded-* headers are trusted.',
  },
  {
    name: 'PUBLIC_HOST',
    kind: 'host',
    fallback: '',
    meaning: 'The only host name to answer to, such as back-office.example.com. Absent: any name.',
  },
  {
    name: 'HSTS_SUBDOMAINS',
    kind: 'switch',
    fallback: 'no',
    meaning: 'Whether HSTS includes subdomains: yes or no.',
  },
  {
    name: 'MAX_FILE_MB',
    kind: 'number',
    fallback: '10',
    least: 1,
    most: 200,
    meaning: 'Maximum file size, in megabytes.',
  },
  {
    name: 'MAX_REQUEST_MB',
    kind: 'number',
    fallback: '256',
    least: 1,
    most: 1000,
    meaning: 'Maximum request size including files, in megabytes.',
  },
  {
    name: 'STAGING_MB',
    kind: 'number',
    fallback: '512',
    least: 1,
    most: 100_000,
    meaning: "Maximum total size of one person's staged files, in megabytes.",
  },
  { name: 'MAX_FILES', kind: 'number', fallback: '200', least: 1, most: 1000, meaning: 'Maximum files per request.' },
  {
    name: 'LIVE_CONNECTIONS',
    kind: 'number',
    fallback: '10',
    least: 0,
    most: 1000,
    meaning: 'Live connections per person. Further browsers poll once a minute; with 0, all do.',
  },
  {
    name: 'BACKUP_DIR',
    kind: 'path',
    fallback: '',
    meaning: 'Folder for automatic backups. Absent: none are made. Not with API_URL.',
  },
  {
    name: 'BACKUP_URL',
    kind: 'bucket',
    fallback: '',
    meaning:
      'Object storage (S3) for automatic backups, beside or instead of BACKUP_DIR: s3://bucket/folder?endpoint=https://storage.example.com&region=eu-1. Keys as for UPLOADS_URL. Not with API_URL.',
  },
  {
    name: 'BACKUP_EVERY_HOURS',
    kind: 'number',
    fallback: '24',
    least: 1,
    most: 168,
    meaning: 'Hours between backups. Health reports an overdue one.',
  },
  {
    name: 'BACKUP_KEEP',
    kind: 'number',
    fallback: '14',
    least: 1,
    most: 1000,
    meaning: 'How many backups to keep in BACKUP_DIR and in BACKUP_URL.',
  },
  {
    name: 'BACKUP_KEY',
    kind: 'secret',
    fallback: '',
    meaning: 'Secret that encrypts backups, at least 20 characters. Restoring needs it too, so store it elsewhere.',
  },
  {
    name: 'TRASH_DAYS',
    kind: 'number',
    fallback: '30',
    least: 0,
    most: 3650,
    meaning:
      'Days for which deleted records can be restored from the trash. With 0 they are deleted at once. Not with API_URL.',
  },
  {
    name: 'CONTENT',
    kind: 'choice',
    fallback: 'off',
    options: ['off', 'public', 'token'],
    meaning:
      'Who may read the content API at /content/v1: off (nobody), public (everybody) or token (programs with a token that an owner has made). Not with API_URL.',
  },
  {
    name: 'CONTENT_ORIGINS',
    kind: 'origins',
    fallback: '',
    meaning:
      'Comma-separated origins whose pages may call the content API from a browser, such as https://www.example.com, or * for all. Absent: none; servers need no such permission.',
  },
  {
    name: 'CONTENT_PER_MINUTE',
    kind: 'number',
    fallback: '600',
    least: 1,
    most: 1_000_000,
    meaning: 'Maximum calls of the content API per address and minute.',
  },
  {
    name: 'WEBHOOKS_INSIDE',
    kind: 'switch',
    fallback: 'no',
    meaning: 'Whether webhooks may call addresses of this machine and its network: yes or no.',
  },
  {
    name: 'SITE_URL',
    kind: 'web-address',
    fallback: '',
    meaning:
      'Address of the public site, such as https://www.example.com. With it, the app links each record to its page there.',
  },
  {
    name: 'SITE_PATHS',
    kind: 'site-paths',
    fallback: '',
    meaning:
      'Comma-separated paths of pages on the public site, where they differ from those of examples/site: generators=/products/{id}, partners=. Nothing after the equals sign means that the kind has no page.',
  },
  {
    name: 'METRICS',
    kind: 'switch',
    fallback: 'no',
    meaning: 'Whether /metrics serves Prometheus metrics to programs on this machine: yes or no.',
  },
  {
    name: 'METRICS_TOKEN',
    kind: 'token',
    fallback: '',
    meaning: 'Bearer token that gives other machines access to /metrics, at least 20 characters.',
  },
  {
    name: 'LOG_LEVEL',
    kind: 'choice',
    fallback: 'info',
    options: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    meaning: 'Log level: fatal, error, warn, info, debug, trace or silent.',
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]['name'];
