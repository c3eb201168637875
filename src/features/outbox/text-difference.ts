import { diffWordsWithSpace } from 'diff';
import { sameText } from '../../domain/outbox/conflict.ts';

/** A piece of a text compared with its base: unchanged, added or removed. */
export interface Piece {
  readonly text: string;
  readonly kind: 'same' | 'added' | 'removed';
}

/** Texts with fewer words are read at a glance and are not marked. */
const LONG = 4;
/** Limits the work on two texts that have little in common. */
const MOST_EDITS = 2000;

/** Compares two texts word by word. A short text and one with nothing in common with its base are one piece. */
export function textDifference(before: string, text: string): readonly Piece[] {
  const whole: readonly Piece[] = [{ text, kind: 'same' }];
  if (sameText(before, text) || Math.min(wordsIn(before), wordsIn(text)) < LONG) return whole;
  const parts = diffWordsWithSpace(before, text, { maxEditLength: MOST_EDITS });
  // White space alone is not common text.
  const common = parts?.some(({ added, removed, value }) => !added && !removed && value.trim() !== '');
  if (parts === undefined || !common) return whole;
  return parts.map(({ value, added, removed }) => ({
    text: value,
    kind: added ? 'added' : removed ? 'removed' : 'same',
  }));
}

function wordsIn(text: string): number {
  return text.split(/\s+/u).filter(Boolean).length;
}
