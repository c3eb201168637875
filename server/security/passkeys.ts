import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import type { NewPasskey, StoredPasskey } from '../stores/factors.ts';

/** Loaded when the first passkey is used: most servers have none, and it is large. */
const library = () => import('@simplewebauthn/server');

/** In milliseconds: how long a browser asks for a passkey. */
const PATIENCE = 4 * 60_000;

/** Signatures that are taken, as COSE numbers them: Ed25519, ES256, RS256. Every device has one of them. */
const ALGORITHMS = [-8, -7, -257];

/** The site that a passkey is for: the name and the address that the browser knows this server by. */
export interface Site {
  readonly name: string;
  readonly host: string;
  readonly origin: string;
}

/** The site of a request. Where PUBLIC_HOST is set, no request under another name comes this far. */
export function siteOf({ hostname, host, protocol }: FastifyRequest, name: string): Site {
  // as a browser writes it: without the port that goes without saying
  const origin = URL.parse(`${protocol}://${host}`)?.origin ?? '';
  return { name, host: hostname, origin };
}

/** What a browser makes a new passkey from. */
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

/** The passkey that a browser has made, or undefined where its answer does not hold. */
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

/** What a browser asks for a passkey with: one of these, or, without any, whichever it has for this site. */
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

/** The counter that comes with a passkey's right answer, or undefined where the answer does not hold. */
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

/** The library throws for whatever does not hold; so does what comes from a stranger in no shape at all. */
async function orUndefined<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
