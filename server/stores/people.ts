import type { Invitation, LinkFacts, PeopleList } from '../../src/domain/protocol/people.ts';
import type { Role } from '../../src/domain/roles.ts';

/** A link as it was made. The token is told once and not kept. */
export interface NewLink {
  readonly token: string;
  readonly name: string;
  readonly email: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/**
 * The administrators of a store that keeps them itself, as owners manage them. Throws a Refusal: 404 where there is no such one,
 * 422 for an address that is taken and for what would leave no owner.
 */
export interface People {
  list(): Promise<PeopleList>;
  /** Invites; an earlier invitation to the same address ends. */
  invite(invitation: Pick<Invitation, 'name' | 'email' | 'role'>): Promise<NewLink>;
  withdraw(invitationId: string): Promise<Addressed>;
  setRole(userId: number, role: Role): Promise<Addressed>;
  /** Makes a link by which a new password is set; earlier ones end. */
  resetLink(userId: number): Promise<NewLink>;
  /** Makes such a link for whoever has that address; undefined where nobody has it, or has got one just now. It lives an hour. */
  forgottenLink(email: string): Promise<NewLink | undefined>;
  endSessions(userId: number): Promise<Addressed>;
  remove(userId: number): Promise<Addressed>;
  /** What a link is for. */
  look(token: string): Promise<LinkFacts>;
  /** Takes a link up: makes the administrator, or sets the password and ends all sessions. It works once. */
  take(token: string, person: { readonly name: string; readonly password: string }): Promise<LinkFacts>;
}

/** Whom something was done about. */
export interface Addressed {
  readonly name: string;
  readonly email: string;
}
