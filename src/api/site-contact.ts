import { SITE_CONTACT_PATH, type SiteContact } from '../domain/protocol/content.ts';
import { onReturn } from '../stores/connection.ts';
import { ApiFailure } from './failure.ts';
import { get } from './request.ts';

/** Milliseconds. The server itself knows it within a minute. */
const ASKED_EVERY = 60_000;

/**
 * Tells when the public site and the server last spoke: now, every minute, and when the connection returns. Tells undefined
 * without an answer, since what was true before may not be now. Returns a function that stops.
 */
export function followSiteContact(told: (contact: SiteContact | undefined) => void): () => void {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    const own = asked;
    const contact = await answered();
    if (own === asked) told(contact);
  };
  const timer = setInterval(() => void ask(), ASKED_EVERY);
  const stop = onReturn(() => void ask());
  void ask();
  return () => {
    // no answer is the latest any more
    asked += 1;
    clearInterval(timer);
    stop();
  };
}

async function answered(): Promise<SiteContact | undefined> {
  try {
    return (await get(SITE_CONTACT_PATH)).body as SiteContact;
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return undefined;
  }
}
