import type { ContentToken } from '../../src/domain/protocol/content.ts';

/** The tokens with which programs read the content API. */
export interface ContentTokens {
  /** Oldest first. */
  list(): Promise<ContentToken[]>;
  /** Makes a token. Only its hash is stored. */
  make(name: string): Promise<string>;
  /** Ends a token and returns its name. Throws 404 if there is none with this id. */
  revoke(id: string): Promise<string>;
  /** True for a token that was made and not revoked. Notes its use, at most once a minute. */
  allows(token: string): Promise<boolean>;
}
