/** The code of 409 for a change whose outcome cannot be determined without its sender. */
export const UNSETTLED = 'unsettled';

/** Where the sender of an unsettled change decides: `POST /api/changes/{key}/outcome`. */
export const OUTCOME = 'outcome';

/** What a sender decides about an unsettled change. */
export type OutcomeDecision =
  /** The back end is looked at once more, at once. */
  | { readonly decision: 'look' }
  /** This record is the one that the change made or edited. */
  | { readonly decision: 'there'; readonly id: number }
  /** The change is given up: its key is forgotten, and the sender may send it again or discard it. */
  | { readonly decision: 'give-up' };
