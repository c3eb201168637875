import { existsSync } from 'node:fs';

/** How a connection is encrypted, and how far the database's certificate is looked at, as libpq names it. */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
const SHAPE = 'postgres://user:password@host:5432/name';

/** Servers one behind the other, between the user and the database's name or as `host=`. Only libpq tries one after the other. */
const SEVERAL = /^\w+:\/\/(?:[^/]*@)?[^/@?]*,[^/@]*(?:\/|$)|[?&]host=[^&]*(?:,|%2C)/i;

/** What is wrong with the address of a database, or undefined. The address, which holds a password, is not repeated. */
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

/** The database of an address in words for a log: where it is and its name, and nothing that is secret. */
export function databaseName(text: string): string {
  const address = parsed(text);
  const host = address?.searchParams.get('host') ?? address?.hostname.replace(SOCKET, '') ?? '';
  const port = address?.port === '' ? '' : `:${address?.port}`;
  return `${decodeURIComponent(host) || 'localhost'}${port}${address?.pathname ?? ''}`;
}

/** Stands for the name of a host where there is none, since the database is on a socket of this machine. */
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
