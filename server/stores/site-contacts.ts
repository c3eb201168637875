import type { SiteContact } from '../../src/domain/protocol/content.ts';

/** When the public site and this server last spoke. */
export interface SiteContacts {
  /** Notes that the site read the content, or was told of a change, now. Never throws, and costs a write at most once a minute. */
  note(what: keyof SiteContact): void;
  /** The last of each, within a minute, also by other servers of this database and before a restart. */
  last(): Promise<SiteContact>;
}
