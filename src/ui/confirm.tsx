import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react';
import { NativeQuestion } from './native-question.tsx';
import { t } from '../language/t.ts';

/** One way out of a question. */
export interface Choice<K extends string = string> {
  readonly key: K;
  /** A verb: "Delete", "Keep until I sign in". */
  readonly label: string;
  readonly look?: 'primary' | 'destructive' | 'plain';
}

export interface Question<K extends string = string> {
  readonly title: string;
  readonly text?: string;
  /** In the order shown; Escape and a click outside take none of them. */
  readonly choices: readonly Choice<K>[];
}

/** A question that waits for a yes. */
export interface YesOrNo {
  readonly title: string;
  readonly text?: string;
  /** The word on the button that says yes. */
  readonly confirmLabel: string;
  readonly cancelLabel?: string;
  /** The yes takes something away. */
  readonly destructive?: boolean;
}

export interface AskedQuestion extends Question {
  answer(key: string | undefined): void;
}

// Loaded with the first question: no list needs a dialog to be shown.
const ConfirmDialog = lazy<ComponentType<{ question: AskedQuestion }>>(() =>
  import('./confirm-dialog.tsx').catch(() => ({ default: NativeQuestion })),
);

let asked: AskedQuestion | undefined;
const listeners = new Set<() => void>();

function show(question: AskedQuestion | undefined): void {
  asked = question;
  for (const listener of listeners) listener();
}

/** Asks, and answers the key of what was chosen, or undefined. A second question takes the place of the first. */
export function choose<K extends string>(question: Question<K>): Promise<K | undefined> {
  asked?.answer(undefined);
  return new Promise((resolve) => {
    const answer = (key: string | undefined) => {
      show(undefined);
      resolve(key as K | undefined);
    };
    show({ ...question, answer });
  });
}

/** Asks, and answers true for yes. */
export async function confirm({
  confirmLabel,
  cancelLabel = t('Cancel'),
  destructive,
  ...question
}: YesOrNo): Promise<boolean> {
  const choices = [
    { key: 'no', label: cancelLabel, look: 'plain' },
    { key: 'yes', label: confirmLabel, look: destructive ? 'destructive' : 'primary' },
  ] as const;
  return (await choose({ ...question, choices })) === 'yes';
}

/** The same as a hook, for components. Needs one `<ConfirmHost />` on the page. */
export function useConfirm(): (question: YesOrNo) => Promise<boolean> {
  return confirm;
}

/** Where questions appear. One per page. */
export function ConfirmHost() {
  const question = useSyncExternalStore(subscribe, () => asked);
  return question === undefined ? null : (
    <Suspense fallback={null}>
      <ConfirmDialog question={question} />
    </Suspense>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
