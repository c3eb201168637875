import { lazy, Suspense, useSyncExternalStore } from 'react';

/** A question that waits for a yes. */
export interface Question {
  title: string;
  text?: string;
  /** The word on the button that says yes: a verb ("Delete", "Discard"). */
  confirmLabel: string;
  cancelLabel?: string;
  /** The yes takes something away. */
  destructive?: boolean;
}

export interface AskedQuestion extends Question {
  answer(yes: boolean): void;
}

// Loaded with the first question: no list needs a dialog to be shown.
const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'));

let asked: AskedQuestion | undefined;
const listeners = new Set<() => void>();

function show(question: AskedQuestion | undefined): void {
  asked = question;
  for (const listener of listeners) listener();
}

/** Asks, and answers true for yes. A question asked while another one stands answers that one with no. */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false);
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      show(undefined);
      resolve(yes);
    };
    show({ ...question, answer });
  });
}

/** The same as a hook, for components. Needs one `<ConfirmHost />` on the page. */
export function useConfirm(): (question: Question) => Promise<boolean> {
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
