import { type OpenSession, SESSIONS_PATH } from '../domain/protocol/sessions.ts';
import { get, post } from './request.ts';

/** Returns the user's open sessions, last used first. Throws ApiFailure. */
export async function readSessions(): Promise<readonly OpenSession[]> {
  return (await get(SESSIONS_PATH)).body as readonly OpenSession[];
}

/** Ends a session. Its device notices on its next request and keeps its pending changes. Returns the server's message. */
export function endSession(id: string): Promise<string> {
  return told(`${SESSIONS_PATH}/${id}/end`);
}

/** Ends all other sessions. Returns the server's message. */
export function endOtherSessions(): Promise<string> {
  return told(`${SESSIONS_PATH}/end-others`);
}

async function told(path: string): Promise<string> {
  return ((await post(path)).body as { message: string }).message;
}
