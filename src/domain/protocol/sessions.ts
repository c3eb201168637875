/** The calls about one's own sessions, of a server that keeps them itself. */
export const SESSIONS_PATH = '/api/sessions';

/** The header by which a page tells how many of its administrator's changes wait on its device. */
export const WAITING_HEADER = 'X-Waiting-Changes';

/** One sign-in that is open. Times are ISO 8601. */
export interface OpenSession {
  readonly id: string;
  /** The browser and its system: "Chrome on Android". */
  readonly device: string;
  /** The address it was last seen from. */
  readonly address: string;
  readonly signedInAt: string;
  readonly lastSeenAt: string;
  /** How many changes waited there when it was last seen; absent where it has not told. */
  readonly waiting?: number;
  /** The one that asks. */
  readonly isThis: boolean;
}

/** The code of a 403 to somebody who first has to do something about the own account; `owes` of the user says what. */
export const OWED_FIRST = 'owed-first';

/** What an administrator has to do before anything else. */
export const DEBTS = ['password', 'second-factor'] as const;

export type Debt = (typeof DEBTS)[number];
