import { SITE_CONTACT_PATH, type SiteContact } from '../domain/protocol/content.ts';
import { followAnswer } from './follow-answer.ts';

/** Milliseconds. The server itself knows it within a minute. */
const ASKED_EVERY = 60_000;

/** Tells when the public site and the server last spoke. Returns a function that stops. */
export function followSiteContact(told: (contact: SiteContact | undefined) => void): () => void {
  return followAnswer(SITE_CONTACT_PATH, ASKED_EVERY, told);
}
