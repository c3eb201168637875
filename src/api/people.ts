import {
  FORGOT_PATH,
  INVITATIONS_PATH,
  type LinkFacts,
  LINK_PATH,
  type MadeLink,
  PEOPLE_PATH,
  type PeopleList,
  WELCOME_ROUTE,
} from '../domain/protocol/people.ts';
import type { Role } from '../domain/roles.ts';
import { get, post } from './request.ts';

/** Everything here needs the server's answer now, and throws ApiFailure. */

/** Who can sign in, and who is invited. */
export async function readPeople(): Promise<PeopleList> {
  return (await get(PEOPLE_PATH)).body as PeopleList;
}

/** Invites somebody; the answer has the link. */
export async function invite(person: { name: string; email: string; role: Role }): Promise<MadeLink> {
  return (await post(INVITATIONS_PATH, person)).body as MadeLink;
}

/** Makes a link by which this administrator sets a new password. */
export async function makeResetLink(userId: number): Promise<MadeLink> {
  return (await post(`${PEOPLE_PATH}/${userId}/reset`)).body as MadeLink;
}

/** Changes a role; returns the server's message. */
export function setRole(userId: number, role: Role): Promise<string> {
  return told(`${PEOPLE_PATH}/${userId}/role`, { role });
}

/** Signs an administrator out on all devices; returns the server's message. */
export function endAllSessions(userId: number): Promise<string> {
  return told(`${PEOPLE_PATH}/${userId}/end-sessions`);
}

/** Removes an administrator; returns the server's message. */
export function removePerson(userId: number): Promise<string> {
  return told(`${PEOPLE_PATH}/${userId}/remove`);
}

/** Ends an invitation; returns the server's message. */
export function withdrawInvitation(id: string): Promise<string> {
  return told(`${INVITATIONS_PATH}/${id}/withdraw`);
}

/** What the link with this token is for. */
export async function lookAtLink(token: string): Promise<LinkFacts> {
  return (await post(`${LINK_PATH}/look`, { token })).body as LinkFacts;
}

/** Sets a password by a link; returns the server's message. */
export function takeLink(values: Readonly<Record<string, string>>): Promise<string> {
  return told(`${LINK_PATH}/take`, values);
}

/** Asks for a link by mail to set a new password; returns the server's message. */
export function askForLink(email: string): Promise<string> {
  return told(FORGOT_PATH, { email });
}

/** The whole address of a link, to be passed on. */
export function linkAddress({ token }: MadeLink): string {
  return `${location.origin}${WELCOME_ROUTE}#${token}`;
}

async function told(path: string, body?: object): Promise<string> {
  return ((await post(path, body)).body as { message: string }).message;
}
