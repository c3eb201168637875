import { NOTICES_PATH, type NoticesPage } from '../domain/protocol/notices.ts';
import { followAnswer } from './follow-answer.ts';

/** Milliseconds. The server itself looks every minute, and nothing here is a matter of minutes. */
const ASKED_EVERY = 5 * 60_000;

/** Tells what owners have to see to; undefined while nobody knows. Returns a function that stops. */
export function followNotices(told: (page: NoticesPage | undefined) => void): () => void {
  return followAnswer<Partial<NoticesPage>>(NOTICES_PATH, ASKED_EVERY, (answer) => {
    const { notices, isEmpty = false } = answer ?? {};
    told(notices && { notices, isEmpty });
  });
}
