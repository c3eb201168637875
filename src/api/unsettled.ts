import type { AnswersByKey } from '../domain/protocol/batch.ts';
import { CHANGES_PATH } from '../domain/protocol/capabilities.ts';
import { OUTCOME, type OutcomeDecision, UNSETTLED } from '../domain/protocol/unsettled.ts';
import { get, post } from './request.ts';

/** What a gateway knows about a change that it cannot settle. */
export interface UnsettledChange {
  /** When it was sent, ISO 8601. */
  readonly since: string;
  /** Records of which one may be this change's. */
  readonly candidates: readonly number[];
}

/** Asks a gateway about a change by its key. Undefined if it is settled by now. Throws ApiFailure. */
export async function unsettledChange(key: string): Promise<UnsettledChange | undefined> {
  const { answers } = (await get(`${CHANGES_PATH}?keys=${key}`)).body as AnswersByKey;
  const {
    code,
    since = '',
    candidates = [],
  } = (answers[key]?.body ?? {}) as Partial<UnsettledChange> & {
    readonly code?: string;
  };
  return code === UNSETTLED ? { since, candidates } : undefined;
}

/** Tells a gateway what the administrator has decided about their change. Throws ApiFailure. */
export async function decideOutcome(key: string, decision: OutcomeDecision): Promise<void> {
  await post(`${CHANGES_PATH}/${key}/${OUTCOME}`, decision);
}
