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

/** Everything here needs the server's answer now, and throws ApiFailure. */

/** Loaded with the first passkey. */
const library = () => import('@simplewebauthn/browser');

/** Whether this browser can have passkeys for this site: a name over TLS. An address of numbers cannot have any. */
export function passkeysWork(): boolean {
  const isNumeric = /^[\d.]+$|:/.test(location.hostname);
  return typeof PublicKeyCredential === 'function' && isSecureContext && !isNumeric;
}

/** Ends a sign-in with a code of an authenticator app, or a recovery code. */
export async function signInWithCode(ticket: string, code: string, remember: boolean): Promise<void> {
  await completeSignIn((await post(SECOND_STEP_PATH, { ticket, code })).body, remember);
}

/** Signs in with a passkey; `signIn` names the sign-in whose second step it is. */
export async function signInWithPasskey(remember: boolean, signIn?: string): Promise<void> {
  const asked = await post(`${PASSKEY_SIGN_IN_PATH}/options`, signIn === undefined ? {} : { ticket: signIn });
  const { ticket, options } = asked.body as Ceremony;
  const { startAuthentication } = await library();
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  const response = await chosen(() => startAuthentication({ optionsJSON }));
  await completeSignIn((await post(PASSKEY_SIGN_IN_PATH, { ticket, response })).body, remember);
}

/** One's own second factors. */
export async function readSecurity(): Promise<SecondFactors> {
  return (await get(SECURITY_PATH)).body as SecondFactors;
}

/** Has the browser make a passkey, and the server take it. */
export async function addPasskey(): Promise<FactorAdded> {
  const { ticket, options } = (await post(`${SECURITY_PATH}/passkeys/options`)).body as Ceremony;
  const { startRegistration } = await library();
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  const response = await chosen(() => startRegistration({ optionsJSON }));
  return (await post(`${SECURITY_PATH}/passkeys`, { ticket, response })).body as FactorAdded;
}

/** Gives a passkey another name; returns the server's message. */
export function renamePasskey(id: string, name: string): Promise<string> {
  return told(`${SECURITY_PATH}/passkeys/${id}/rename`, { name });
}

/** Removes a passkey; returns the server's message. */
export function removePasskey(id: string): Promise<string> {
  return told(`${SECURITY_PATH}/passkeys/${id}/remove`);
}

/** A secret for an authenticator app, which counts once a code of it was shown. */
export async function beginAuthenticator(): Promise<NewAuthenticator> {
  return (await post(`${SECURITY_PATH}/authenticator`)).body as NewAuthenticator;
}

/** Shows a code of the authenticator app that is being set up. */
export async function takeAuthenticator(ticket: string, code: string): Promise<FactorAdded> {
  return (await post(`${SECURITY_PATH}/authenticator/take`, { ticket, code })).body as FactorAdded;
}

/** Removes the authenticator app; returns the server's message. */
export function removeAuthenticator(): Promise<string> {
  return told(`${SECURITY_PATH}/authenticator/remove`);
}

/** Makes recovery codes in the place of earlier ones. */
export async function makeRecoveryCodes(): Promise<FactorAdded> {
  return (await post(`${SECURITY_PATH}/recovery-codes`)).body as FactorAdded;
}

/** Asks everybody for a second factor, or nobody any more; returns the server's message. */
export function requireSecondFactor(required: boolean): Promise<string> {
  return told(REQUIREMENT_PATH, { required: required ? 'yes' : 'no' });
}

/** Removes the second factors of somebody who has lost them; returns the server's message. */
export function resetSecondFactor(userId: number): Promise<string> {
  return told(`${PEOPLE_PATH}/${userId}/reset-second-factor`);
}

async function told(path: string, body?: object): Promise<string> {
  return ((await post(path, body)).body as { message: string }).message;
}

/** What the browser's own dialog brought, in words where it brought nothing (https://www.w3.org/TR/webauthn-3/#sctn-createCredential). */
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
