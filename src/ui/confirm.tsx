import { type ComponentType, lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { NativeQuestion } from './native-question.tsx';
import { t } from '../language/t.ts';

/** A choice of a question. */
export interface Choice<K extends string = string> {
  readonly key: K;
  /** A verb: "Delete", "Keep until I sign in". */
  readonly label: string;
  readonly look?: 'primary' | 'destructive' | 'plain';
}

export interface Question<K extends string = string> {
  readonly title: string;
  readonly text?: string;
  /** What it is about, such as the record with its picture. */
  readonly subject?: ReactNode;
  /** In display order. Escape and a click outside choose none. */
  readonly choices: readonly Choice<K>[];
}

/** A yes-or-no question. */
export interface YesOrNo extends Pick<Question, 'title' | 'text' | 'subject'> {
  /** The label of the yes button. */
  readonly confirmLabel: string;
  readonly cancelLabel?: string;
  /** True if yes deletes or discards something. */
  readonly destructive?: boolean;
}

export interface AskedQuestion extends Question {
  answer(key: string | undefined): void;
}

// Loaded with the first question, since lists render without a dialog.
const ConfirmDialog = lazy<ComponentType<{ question: AskedQuestion }>>(() =>
  import('./confirm-dialog.tsx').catch(() => ({ default: NativeQuestion })),
);

let asked: AskedQuestion | undefined;
const listeners = new Set<() => void>();

function show(question: AskedQuestion | undefined): void {
  asked = question;
  for (const listener of listeners) listener();
}

/** Asks a question. Resolves to the key of the choice, or undefined for none. A second question replaces the first. */
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

/** Asks a yes-or-no question. Resolves to true for yes. */
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

/** `confirm` as a hook. Needs one `<ConfirmHost />` on the page. */
export function useConfirm(): (question: YesOrNo) => Promise<boolean> {
  return confirm;
}

/** Renders the current question. One per page. */
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
