import type { Invitation, LinkFacts, PeopleList } from '../../src/domain/protocol/people.ts';
import type { Role } from '../../src/domain/roles.ts';

/** A new link. Its token is returned once and not stored. */
export interface NewLink {
  readonly token: string;
  readonly name: string;
  readonly email: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/**
 * Management of the administrators, by owners, in a store that keeps them itself. Throws a Refusal: 404 if there is no such
 * administrator or link, 422 for an address in use and for a change that would leave no owner.
 */
export interface People {
  list(): Promise<PeopleList>;
  /** Invites someone, in the name of an owner. Revokes an earlier invitation to the same address. */
  invite(invitation: Pick<Invitation, 'name' | 'email' | 'role'>, madeBy?: number): Promise<NewLink>;
  withdraw(invitationId: string): Promise<Addressed>;
  /** Ends a link to set a new password. */
  withdrawReset(linkId: string): Promise<Addressed>;
  setRole(userId: number, role: Role): Promise<Addressed>;
  /** Creates a link to set a new password, in the name of an owner. Revokes earlier ones. */
  resetLink(userId: number, madeBy?: number): Promise<NewLink>;
  /**
   * Creates a link to set a new password for an address. Valid for one hour. Undefined if nobody has the address, or if one
   * was created recently.
   */
  forgottenLink(email: string): Promise<NewLink | undefined>;
  /**
   * Notes that the email with a link did not go out, so that the next request creates another one. The link stays valid: a mail
   * server may have accepted an email without confirming it.
   */
  notSent(token: string): Promise<void>;
  endSessions(userId: number): Promise<Addressed>;
  remove(userId: number): Promise<Addressed>;
  /** The details of a link. */
  look(token: string): Promise<LinkFacts>;
  /** Uses a link: creates the administrator, or sets the password and ends all sessions. Works once. */
  take(token: string, person: { readonly name: string; readonly password: string }): Promise<LinkFacts>;
}

/** The person affected by an action. */
export interface Addressed {
  readonly name: string;
  readonly email: string;
}
