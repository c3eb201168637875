import { existsSync } from 'node:fs';

/** The values of sslmode, as libpq names them. */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
const SHAPE = 'postgres://user:password@host:5432/name';

/** Several hosts in one address, which only libpq supports. */
const SEVERAL = /^\w+:\/\/(?:[^/]*@)?[^/@?]*,[^/@]*(?:\/|$)|[?&]host=[^&]*(?:,|%2C)/i;

/** Describes the problem with a database address, or returns undefined. Never repeats the address, which contains a password. */
export function addressProblem(text: string): string | undefined {
  const address = parsed(text);
  if (SEVERAL.test(text))
    return 'names several servers: a name that leads to the one that takes changes is wanted, or a proxy before them that does.';
  if (address === undefined)
    return `not an address as ${SHAPE}. Other characters of a password than letters and digits are written as %XX.`;
  if (!['postgres:', 'postgresql:'].includes(address.protocol)) return `not an address as ${SHAPE}.`;
  if (address.pathname.length < 2) return `names no database: not an address as ${SHAPE}.`;
  return tlsProblem(address.searchParams);
}

/** Says what a usable address leaves open to others on the network. Undefined if that is nothing, or was chosen in so many words. */
export function addressWarning(text: string): string | undefined {
  const parameters = parsed(text)?.searchParams;
  if (parameters?.get('sslmode') !== 'require' || parameters.has('sslrootcert')) return undefined;
  return 'DATABASE_URL: sslmode=require encrypts, but does not verify whose database answers. sslmode=verify-full does, with sslrootcert=FILE if its provider has a certificate of its own.';
}

/** The host and name of a database for the log, without secrets. */
export function databaseName(text: string): string {
  const address = parsed(text);
  const host = address?.searchParams.get('host') ?? address?.hostname.replace(SOCKET, '') ?? '';
  const port = address?.port === '' ? '' : `:${address?.port}`;
  return `${decodeURIComponent(host) || 'localhost'}${port}${address?.pathname ?? ''}`;
}

/** Placeholder host for a database on a local socket. */
const SOCKET = 'on-a-socket';

function parsed(text: string): URL | undefined {
  return URL.parse(text.replace(/^(\w+:\/\/[^/]*@)\//, `$1${SOCKET}/`)) ?? undefined;
}

function tlsProblem(parameters: URLSearchParams): string | undefined {
  const [mode, certificate] = [parameters.get('sslmode'), parameters.get('sslrootcert')];
  if (mode !== null && !TLS_MODES.includes(mode)) return `sslmode is none of ${TLS_MODES.join(', ')}.`;
  if (mode === 'verify-ca' && certificate === null)
    return 'sslmode=verify-ca needs sslrootcert=FILE, the certificate to trust.';
  if (certificate !== null && !existsSync(certificate)) return `sslrootcert: there is no file "${certificate}".`;
  return undefined;
}
