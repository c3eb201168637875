/** The calls about the user's own sessions, on a server that manages them itself. */
export const SESSIONS_PATH = '/api/sessions';

/** The header in which a page reports how many of its administrator's changes are pending on the device. */
export const WAITING_HEADER = 'X-Waiting-Changes';

/** An open session. Times are ISO 8601. */
export interface OpenSession {
  readonly id: string;
  /** The browser and operating system: "Chrome on Android". */
  readonly device: string;
  /** The address of its latest request. */
  readonly address: string;
  readonly signedInAt: string;
  readonly lastSeenAt: string;
  /** Pending changes on the device at its latest report. Absent if it never reported. */
  readonly waiting?: number;
  /** What its page last reported of the device. Absent if it never did. */
  readonly version?: string;
  /** Since when the oldest waiting change waits. */
  readonly waitingSince?: string;
  /** The browser's estimate of what the app stores and may store, in megabytes. */
  readonly used?: number;
  readonly quota?: number;
  /** The requesting session. */
  readonly isThis: boolean;
}

/** The code of a 403 for a user who first has to update the account. The user's `owes` says how. */
export const OWED_FIRST = 'owed-first';

/** Account tasks that an administrator has to complete first. */
export const DEBTS = ['password', 'second-factor'] as const;

export type Debt = (typeof DEBTS)[number];
