import type { Role } from '../roles.ts';

/** The calls about administrators, of a server that keeps them itself. All POSTs send JSON. */
export const PEOPLE_PATH = '/api/people';
export const INVITATIONS_PATH = '/api/people/invitations';
/** Open to everyone: who has the link shows it. */
export const LINK_PATH = '/api/link';

/** Where a link leads to; its token stands behind the `#`, which no server and no log ever sees. */
export const WELCOME_ROUTE = '/welcome';

/** Open to everyone, where the server sends mail. */
export const FORGOT_PATH = '/api/auth/forgot-password';
/** The screen that asks for the address. */
export const FORGOT_ROUTE = '/forgot-password';

/** An administrator as owners see them. Times are ISO 8601. */
export interface Person {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** A second factor is set up. */
  readonly hasSecondFactor: boolean;
  /** Absent where no session is open. */
  readonly lastSeenAt?: string;
}

/** Someone who may become an administrator. */
export interface Invitation {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: string;
}

/** The answer to `GET /api/people`. */
export interface PeopleList {
  readonly people: readonly Person[];
  readonly invitations: readonly Invitation[];
  /** Everybody has to have a second factor. */
  readonly secondFactorRequired: boolean;
}

/** The answer to a call that makes a link. It is told this once. */
export interface MadeLink {
  readonly message: string;
  readonly token: string;
  readonly expiresAt: string;
  /** It went out by mail as well. */
  readonly mailed: boolean;
}

/** What a link is for: the answer to `POST /api/link/look`. */
export interface LinkFacts {
  readonly purpose: LinkPurpose;
  readonly name: string;
  readonly email: string;
}

/** `forgotten` is a `reset` that somebody has asked for who could not sign in. */
export type LinkPurpose = 'invitation' | 'reset' | 'forgotten';
