/** The content API: what the public site reads. Apart from the administrators' calls, and read only. */
export const CONTENT_PATH = '/content/v1';

/** Owners' calls about it. All POSTs send JSON. */
export const CONTENT_STATUS_PATH = '/api/content';
export const CONTENT_TOKENS_PATH = '/api/content/tokens';

/** A program's right to read the content. Times are ISO 8601. */
export interface ContentToken {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Within a minute; absent if it was never used. */
  readonly usedAt?: string;
}

/** The answer to `GET /api/content`. */
export interface ContentStatus {
  /** Who may read the content: nobody, everybody, or programs with a token. */
  readonly access: 'off' | 'public' | 'token';
  /** The last call of the content API since this server's start. */
  readonly readAt?: string;
  readonly tokens: readonly ContentToken[];
}

/** The answer to the creation of a token. The token is told only once. */
export interface MadeContentToken {
  readonly message: string;
  readonly token: string;
}
