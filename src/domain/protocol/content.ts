/** The content API: what the public site reads. Apart from the administrators' calls, and read only. */
export const CONTENT_PATH = '/content/v1';

/** Owners' calls about it. All POSTs send JSON. */
export const CONTENT_STATUS_PATH = '/api/content';
export const CONTENT_TOKENS_PATH = '/api/content/tokens';

/** Tells everybody who is signed in when the site last spoke with this server. 404 if nobody may read the content. */
export const SITE_CONTACT_PATH = '/api/site-contact';

/** A program's right to read the content. Times are ISO 8601. */
export interface ContentToken {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Within a minute; absent if it was never used. */
  readonly usedAt?: string;
}

/** When the public site and the server last spoke, within a minute. ISO 8601; absent if never. */
export interface SiteContact {
  /** The last answered read of the content. */
  readonly readAt?: string;
  /** The last message about a change that its receiver took. */
  readonly toldAt?: string;
}

/** The answer to `GET /api/content`. */
export interface ContentStatus extends SiteContact {
  /** Who may read the content: nobody, everybody, or programs with a token. */
  readonly access: 'off' | 'public' | 'token';
  readonly tokens: readonly ContentToken[];
}

/** The answer to the creation of a token. The token is told only once. */
export interface MadeContentToken {
  readonly message: string;
  readonly token: string;
}
