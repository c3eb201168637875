import { useEffect, useState } from 'react';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import type { FieldErrors } from '../../domain/validate.ts';
import { notify } from '../../stores/notifications.ts';

export interface Submit {
  readonly busy: boolean;
  /** It takes longer than usual: the link is slow, or gone without saying so. */
  readonly slow: boolean;
  /** What the last try failed with; empty before the first and while one is under way. */
  readonly failure: string;
  readonly errors: FieldErrors;
  /** Runs the request once at a time; a failure becomes a toast, and texts under the fields where the server named them. */
  submit(): void;
}

/** A form that needs an answer now: signing in, changing a password. */
export function useSubmit(send: () => Promise<void>): Submit {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<{ failure: string; errors: FieldErrors }>(UNTRIED);
  const run = async () => {
    setBusy(true);
    setFailed(UNTRIED);
    try {
      await send();
    } catch (caught) {
      const errors = caught instanceof ApiFailure && caught.kind === 'invalid' ? caught.errors : {};
      setFailed({ failure: messageOf(caught), errors });
      notify(messageOf(caught), { kind: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return { busy, slow: useSlow(busy), ...failed, submit: () => void (busy || run()) };
}

/** How long a request may take before a word about it is due. Milliseconds. */
const USUAL = 8000;

function useSlow(busy: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return undefined;
    const timer = setTimeout(() => setSlow(true), USUAL);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [busy]);
  return slow;
}

const UNTRIED = { failure: '', errors: {} };
