import type { Role } from '../roles.ts';

/** The calls about administrators, on a server that manages them itself. All POSTs send JSON. */
export const PEOPLE_PATH = '/api/people';
export const INVITATIONS_PATH = '/api/people/invitations';
/** Links to set a new password, made by owners. */
export const RESETS_PATH = '/api/people/resets';
/** Needs no sign-in: the link is the credential. */
export const LINK_PATH = '/api/link';

/** The target of links. The token follows the `#`, so that no server or log ever sees it. */
export const WELCOME_ROUTE = '/welcome';

/** Needs no sign-in. Exists if the server sends mail. */
export const FORGOT_PATH = '/api/auth/forgot-password';
/** The screen that asks for the mail address. */
export const FORGOT_ROUTE = '/forgot-password';

/** An administrator, as shown to owners. Times are ISO 8601. */
export interface Person {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** A second factor is set up. */
  readonly hasSecondFactor: boolean;
  /** Absent without an open session. */
  readonly lastSeenAt?: string;
}

/** An invitation to become an administrator, or a link to set a new password. It ends with its maker's right to make it. */
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
  /** Open links to set a new password, made by owners. Absent from older servers. */
  readonly resets?: readonly Invitation[];
  /** Everyone must have a second factor. */
  readonly secondFactorRequired: boolean;
}

/** The answer to a call that creates a link. The link is returned only once. */
export interface MadeLink {
  readonly message: string;
  readonly token: string;
  readonly expiresAt: string;
  /** The link was also mailed. */
  readonly mailed: boolean;
}

/** The purpose of a link: the answer to `POST /api/link/look`. */
export interface LinkFacts {
  readonly purpose: LinkPurpose;
  readonly name: string;
  readonly email: string;
}

/** `forgotten` is a `reset` requested by someone who could not sign in. */
export type LinkPurpose = 'invitation' | 'reset' | 'forgotten';
