import { diffWordsWithSpace } from 'diff';
import { sameText } from '../../domain/outbox/conflict.ts';

/** A piece of a text beside what it was: the same, new in it, or gone from it. */
export interface Piece {
  readonly text: string;
  readonly kind: 'same' | 'added' | 'removed';
}

/** With fewer words than this the whole text is seen at a glance, and marks would only be in its way. */
const LONG = 4;
/** Two texts that have little in common are no longer compared after so many edits. */
const MOST_EDITS = 2000;

/** What is new in a text and what is gone from it, word by word. A short text, and one that is all new, is one piece. */
export function textDifference(before: string, text: string): readonly Piece[] {
  const whole: readonly Piece[] = [{ text, kind: 'same' }];
  if (sameText(before, text) || Math.min(wordsIn(before), wordsIn(text)) < LONG) return whole;
  const parts = diffWordsWithSpace(before, text, { maxEditLength: MOST_EDITS });
  // the blanks between the words of two texts are alike, whatever the words are
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
