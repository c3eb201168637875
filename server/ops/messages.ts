import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FirstAdministrator } from '../accounts/first-administrator.ts';
import { keepFirstPassword } from '../accounts/first-password.ts';
import { missingLogo } from '../settings/logo.ts';
import type { Settings } from '../settings/settings.ts';

/** Prints how the first administrator signs in. Stores a generated password in a file if nobody is at a terminal. */
export function printFirstSignIn(administrator: FirstAdministrator, { dataDir }: Settings): void {
  console.log(boxed(signInLines(administrator, dataDir)));
}

/** Prints the server's address, and whether the app or its logo is missing. */
export function printWelcome(address: string, { appDir, dataDir, databaseUrl, logoPath }: Settings): void {
  if (!existsSync(join(appDir, 'index.html'))) {
    console.log(`There is no built app in ${appDir}, so only the API is served. npm run build makes one.`);
  }
  // with a database, an uploaded logo is not on the disk
  const logo = databaseUrl === '' ? missingLogo(logoPath, dataDir, appDir) : undefined;
  if (logo !== undefined) console.log(`LOGO_PATH: there is no file "${logo}" yet, so no logo is shown.`);
  console.log(`Voltdesk is at ${address}`);
}

/** Explains why the server did not start, and exits with code 1. */
export function explainFailure(error: unknown): void {
  console.error(failureText(error));
  process.exitCode = 1;
}

function signInLines({ email, madeUpPassword }: FirstAdministrator, dataDir: string): string[] {
  const lines = [`Sign in as   ${email}`];
  if (madeUpPassword === undefined) return [...lines, 'Password     the one in ADMIN_PASSWORD'];
  // System journals are kept and read by others, so only a terminal shows the password.
  if (process.stdout.isTTY) {
    return [
      ...lines,
      `Password     ${madeUpPassword}`,
      '',
      'It is shown only once, and must be changed at the first sign-in.',
    ];
  }
  const path = keepFirstPassword(dataDir, madeUpPassword);
  return [...lines, `Password     in ${path}`, '', 'The file is removed when the password is changed.'];
}

function boxed(lines: readonly string[]): string {
  const width = Math.max(...lines.map((line) => line.length));
  const rule = '─'.repeat(width + 4);
  const rows = lines.map((line) => `│  ${line.padEnd(width)}  │`);
  return ['', `┌${rule}┐`, ...rows, `└${rule}┘`, ''].join('\n');
}

/** Error codes for missing permission. */
const NOT_ALLOWED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** An error of Node's about a socket or a file. */
interface SystemError {
  readonly code?: string;
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
  readonly path?: string;
}

function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port, address, hostname, path } = error as SystemError;
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program. Set PORT to a free one.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${address ?? hostname} is not an address of this machine. Set HOST to 127.0.0.1, or 0.0.0.0 for every network.`;
  }
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} is reserved by the system. Set PORT to 1024 or above.`;
  if (NOT_ALLOWED.has(code ?? '')) return `${path ?? 'A folder'} cannot be written to or read here: ${error.message}`;
  const cause = error.cause instanceof Error ? `\n${error.cause.message}` : '';
  return `${error.message}${cause}`;
}
