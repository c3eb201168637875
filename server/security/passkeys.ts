import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import type { NewPasskey, StoredPasskey } from '../stores/factors.ts';

/** Loaded on first use of a passkey: most servers have none, and the library is large. */
const library = () => import('@simplewebauthn/server');

/** How long a browser asks for a passkey. Milliseconds. */
const PATIENCE = 4 * 60_000;

/** Accepted signature algorithms by COSE number: Ed25519, ES256, RS256. Every device supports one of them. */
const ALGORITHMS = [-8, -7, -257];

/** The relying party: the name and the origin under which the browser knows this server. */
export interface Site {
  readonly name: string;
  readonly host: string;
  readonly origin: string;
}

/** The site of a request. If PUBLIC_HOST is set, requests under other names are rejected earlier. */
export function siteOf({ hostname, host, protocol }: FastifyRequest, name: string): Site {
  // as a browser writes it: without the default port
  const origin = URL.parse(`${protocol}://${host}`)?.origin ?? '';
  return { name, host: hostname, origin };
}

/** Options for a browser to create a new passkey. */
export async function creationOptions(
  site: Site,
  user: { readonly id: number; readonly name: string; readonly email: string },
  known: readonly StoredPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: site.name,
    rpID: site.host,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(`voltdesk ${user.id}`),
    timeout: PATIENCE,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** Returns the passkey that a browser created, or undefined if its response does not verify. */
export async function madePasskey(
  site: Site,
  challenge: string,
  response: unknown,
): Promise<Pick<NewPasskey, 'id' | 'publicKey' | 'counter' | 'transports'> | undefined> {
  const { verifyRegistrationResponse } = await library();
  const made = await orUndefined(() =>
    verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (made?.registrationInfo === undefined) return undefined;
  const { id, publicKey, counter, transports = [] } = made.registrationInfo.credential;
  const named = transports.filter((transport) => /^[a-z-]{1,20}$/.test(transport)).slice(0, 8);
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports: named };
}

/** Options for a browser to ask for a passkey: one of those given or, without any, whichever it has for this site. */
export async function requestOptions(
  { host }: Site,
  known: readonly StoredPasskey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: host,
    timeout: PATIENCE,
    allowCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    userVerification: known.length === 0 ? 'required' : 'preferred',
  });
}

/** Returns the counter of a valid passkey response, or undefined if the response does not verify. */
export async function answeredBy(
  site: Site,
  passkey: StoredPasskey,
  asked: { readonly challenge: string; readonly response: unknown; readonly isOnlyFactor: boolean },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const { id, publicKey, counter, transports } = passkey;
  const answered = await orUndefined(() =>
    verifyAuthenticationResponse({
      response: asked.response as AuthenticationResponseJSON,
      expectedChallenge: asked.challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      credential: {
        id,
        publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
        counter,
        transports: [...transports],
      },
      requireUserVerification: asked.isOnlyFactor,
    }),
  );
  return answered?.verified === true ? answered.authenticationInfo.newCounter : undefined;
}

/**
 * Returns undefined if verification throws. The library throws for anything invalid, and so does malformed input from
 * strangers.
 */
async function orUndefined<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
