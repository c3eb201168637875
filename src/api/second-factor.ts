import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import {
  type Ceremony,
  type FactorAdded,
  type NewAuthenticator,
  PASSKEY_SIGN_IN_PATH,
  REQUIREMENT_PATH,
  SECOND_STEP_PATH,
  SECURITY_PATH,
  type SecondFactors,
} from '../domain/protocol/second-factor.ts';
import { PEOPLE_PATH } from '../domain/protocol/people.ts';
import { completeSignIn } from './auth.ts';
import { ApiFailure } from './failure.ts';
import { get, post } from './request.ts';
import { msg, t } from '../language/t.ts';

/** Everything here needs a live answer from the server, and throws ApiFailure. */

/** Loads the library on first use. */
const library = () => import('@simplewebauthn/browser');

/** True if this browser can use passkeys for this site. They need a host name over TLS; an IP address cannot have any. */
export function passkeysWork(): boolean {
  const isNumeric = /^[\d.]+$|:/.test(location.hostname);
  return typeof PublicKeyCredential === 'function' && isSecureContext && !isNumeric;
}

/** Completes a sign-in with a code of an authenticator app, or a recovery code. */
export async function signInWithCode(ticket: string, code: string, remember: boolean): Promise<void> {
  await completeSignIn((await post(SECOND_STEP_PATH, { ticket, code })).body, remember);
}

/** Signs in with a passkey. `signIn` is the sign-in whose second step this is. */
export async function signInWithPasskey(remember: boolean, signIn?: string): Promise<void> {
  const asked = await post(`${PASSKEY_SIGN_IN_PATH}/options`, signIn === undefined ? {} : { ticket: signIn });
  const { ticket, options } = asked.body as Ceremony;
  const { startAuthentication } = await library();
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  const response = await chosen(() => startAuthentication({ optionsJSON }));
  await completeSignIn((await post(PASSKEY_SIGN_IN_PATH, { ticket, response })).body, remember);
}

/** Returns the user's second factors. */
export async function readSecurity(): Promise<SecondFactors> {
  return (await get(SECURITY_PATH)).body as SecondFactors;
}

/** Creates a passkey in the browser and registers it on the server. */
export async function addPasskey(): Promise<FactorAdded> {
  const { ticket, options } = (await post(`${SECURITY_PATH}/passkeys/options`)).body as Ceremony;
  const { startRegistration } = await library();
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  const response = await chosen(() => startRegistration({ optionsJSON }));
  return (await post(`${SECURITY_PATH}/passkeys`, { ticket, response })).body as FactorAdded;
}

/** Renames a passkey. Returns the server's message. */
export function renamePasskey(id: string, name: string): Promise<string> {
  return told(`${SECURITY_PATH}/passkeys/${id}/rename`, { name });
}

/** Removes a passkey. Returns the server's message. */
export function removePasskey(id: string): Promise<string> {
  return told(`${SECURITY_PATH}/passkeys/${id}/remove`);
}

/** Returns a secret for an authenticator app. It takes effect once one of its codes is verified. */
export async function beginAuthenticator(): Promise<NewAuthenticator> {
  return (await post(`${SECURITY_PATH}/authenticator`)).body as NewAuthenticator;
}

/** Verifies a code of the authenticator app that is being set up. */
export async function takeAuthenticator(ticket: string, code: string): Promise<FactorAdded> {
  return (await post(`${SECURITY_PATH}/authenticator/take`, { ticket, code })).body as FactorAdded;
}

/** Removes the authenticator app. Returns the server's message. */
export function removeAuthenticator(): Promise<string> {
  return told(`${SECURITY_PATH}/authenticator/remove`);
}

/** Creates recovery codes, which replace earlier ones. */
export async function makeRecoveryCodes(): Promise<FactorAdded> {
  return (await post(`${SECURITY_PATH}/recovery-codes`)).body as FactorAdded;
}

/** Requires a second factor from everyone, or stops requiring it. Returns the server's message. */
export function requireSecondFactor(required: boolean): Promise<string> {
  return told(REQUIREMENT_PATH, { required: required ? 'yes' : 'no' });
}

/** Removes the second factors of a person who has lost them. Returns the server's message. */
export function resetSecondFactor(userId: number): Promise<string> {
  return told(`${PEOPLE_PATH}/${userId}/reset-second-factor`);
}

async function told(path: string, body?: object): Promise<string> {
  return ((await post(path, body)).body as { message: string }).message;
}

/** Runs the browser's dialog. Throws a readable error if it fails (https://www.w3.org/TR/webauthn-3/#sctn-createCredential). */
async function chosen<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (caught) {
    const { name } = caught as Error;
    throw new ApiFailure('refused', WORDS[name] ?? t('This browser couldn’t use a passkey here.'));
  }
}

const WORDS: Readonly<Record<string, string>> = {
  NotAllowedError: msg('No passkey selected.'),
  AbortError: msg('No passkey selected.'),
  InvalidStateError: msg('You already have a passkey on this device.'),
};
