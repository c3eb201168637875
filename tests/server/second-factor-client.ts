import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { SoftPasskey } from '../harness/soft-passkey.ts';
import { type Client, signedIn } from './harness.ts';

export const NOON = Date.parse('2026-11-20T12:00:00Z');

export const SECOND = 1000;

export const MINUTE = 60 * SECOND;

/** The origin and host that `inject` uses. */
export const SITE = { origin: 'http://localhost', host: 'localhost' };

/** The code of an authenticator app at a time. */
export function codeAt(secret: string, at: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
}

/** A signed-in administrator, with a clock controlled by the test. */
export async function world(environment: Record<string, string> = {}) {
  const clock = { at: NOON };
  const server = await signedIn(environment, { now: () => clock.at });
  return { ...server, clock };
}

/** The same, with an authenticator app enrolled. */
export async function withApp() {
  const server = await world();
  const { secret, ticket } = (await server.admin.post('/api/security/authenticator', {})).json();
  const code = codeAt(secret, NOON);
  const added = await server.admin.post('/api/security/authenticator/take', { ticket, code });
  server.clock.at += MINUTE;
  return { ...server, secret, code, recoveryCodes: added.json().recoveryCodes as string[] };
}

export async function addPasskey(admin: Client): Promise<SoftPasskey> {
  const passkey = new SoftPasskey();
  const { ticket, options } = (await admin.post('/api/security/passkeys/options', {})).json();
  const response = passkey.made({ ...SITE, challenge: options.challenge });
  expect((await admin.post('/api/security/passkeys', { ticket, response })).json().message).toBe('Passkey added');
  return passkey;
}

/** Signs in with the password. Returns the ticket for the second factor. */
export async function begin(guest: Client): Promise<string> {
  guest.forget();
  const answer = await guest.signIn();
  expect(answer.statusCode).toBe(202);
  return answer.json().ticket;
}

export const second = (guest: Client, ticket: string, code: string) =>
  guest.post('/api/auth/second-factor', { ticket, code });
