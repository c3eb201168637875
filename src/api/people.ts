import {
  FORGOT_PATH,
  INVITATIONS_PATH,
  type LinkFacts,
  LINK_PATH,
  type MadeLink,
  PEOPLE_PATH,
  type PeopleList,
  RESETS_PATH,
  WELCOME_ROUTE,
} from '../domain/protocol/people.ts';
import type { Role } from '../domain/roles.ts';
import { get, post } from './request.ts';

/** Everything here needs a live answer from the server, and throws ApiFailure. */

/** Returns the people who can sign in, and the open invitations. */
export async function readPeople(): Promise<PeopleList> {
  return (await get(PEOPLE_PATH)).body as PeopleList;
}

/** Invites a person. Returns the link. */
export async function invite(person: { name: string; email: string; role: Role }): Promise<MadeLink> {
  return (await post(INVITATIONS_PATH, person)).body as MadeLink;
}

/** Creates a link with which this administrator sets a new password. */
export async function makeResetLink(userId: number): Promise<MadeLink> {
  return (await post(`${PEOPLE_PATH}/${userId}/reset`)).body as MadeLink;
}

/** Changes a role. Returns the server's message. */
export function setRole(userId: number, role: Role): Promise<string> {
  return told(`${PEOPLE_PATH}/${userId}/role`, { role });
}

/** Signs an administrator out on all devices. Returns the server's message. */
export function endAllSessions(userId: number): Promise<string> {
  return told(`${PEOPLE_PATH}/${userId}/end-sessions`);
}

/** Removes an administrator. Returns the server's message. */
export function removePerson(userId: number): Promise<string> {
  return told(`${PEOPLE_PATH}/${userId}/remove`);
}

/** Withdraws an invitation. Returns the server's message. */
export function withdrawInvitation(id: string): Promise<string> {
  return told(`${INVITATIONS_PATH}/${id}/withdraw`);
}

/** Withdraws a link to set a new password. Returns the server's message. */
export function withdrawReset(id: string): Promise<string> {
  return told(`${RESETS_PATH}/${id}/withdraw`);
}

/** Returns what the link with this token is for. */
export async function lookAtLink(token: string): Promise<LinkFacts> {
  return (await post(`${LINK_PATH}/look`, { token })).body as LinkFacts;
}

/** Sets a password with a link. Returns the server's message. */
export function takeLink(values: Readonly<Record<string, string>>): Promise<string> {
  return told(`${LINK_PATH}/take`, values);
}

/** Requests a password link by email. Returns the server's message. */
export function askForLink(email: string): Promise<string> {
  return told(FORGOT_PATH, { email });
}

/** The full address of a link, for sharing. */
export function linkAddress({ token }: MadeLink): string {
  return `${location.origin}${WELCOME_ROUTE}#${token}`;
}

async function told(path: string, body?: object): Promise<string> {
  return ((await post(path, body)).body as { message: string }).message;
}
