import { useMemo } from 'react';
import { useOverlay } from '../../api/reads.ts';
import type { Base, Reason } from '../../domain/outbox/vocabulary.ts';
import type { FieldErrors, Values } from '../../domain/validate.ts';

/** What was saved here for the site-wide settings, and is not in the device's copy of them. */
export interface WaitingSiteMeta {
  /** The texts that it left. */
  readonly values: Values;
  /** How many changes wait. */
  readonly count: number;
  /** Some of it was confirmed since the copy was asked for. */
  readonly confirmed: boolean;
  /** The change that the server refused and a save from here mends. */
  readonly refused?: {
    readonly entryId: string;
    readonly message: string;
    readonly errors: FieldErrors;
    /** What was there when it was typed. */
    readonly base: Base;
  };
  /** The change that meets somebody else's. */
  readonly conflictId?: string;
}

/** `fetchedAt` is when the copy was asked for, in epoch milliseconds. Undefined until the outbox has been read. */
export function useWaitingSiteMeta(fetchedAt: number | undefined): WaitingSiteMeta | undefined {
  const entries = useOverlay(fetchedAt);
  return useMemo(() => {
    if (entries === undefined) return undefined;
    const saves = entries.flatMap((entry) =>
      entry.change.op === 'save-settings' ? [{ entry, change: entry.change }] : [],
    );
    const refused = saves.find(({ entry }) => entry.state === 'refused');
    const conflict = saves.find(({ entry }) => entry.state === 'conflict')?.entry;
    return {
      values: Object.assign({}, ...saves.map(({ change }) => change.values)) as Values,
      count: saves.filter(({ entry }) => entry.state !== 'done').length,
      confirmed: saves.some(({ entry }) => entry.state === 'done'),
      ...(refused && {
        refused: { entryId: refused.entry.id, base: refused.change.base, ...refusalOf(refused.entry.reason) },
      }),
      ...(conflict && { conflictId: conflict.id }),
    };
  }, [entries]);
}

function refusalOf(reason: Reason | undefined) {
  return { message: reason?.message ?? 'The server refused this change.', errors: reason?.errors ?? {} };
}
