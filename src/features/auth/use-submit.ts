import { useEffect, useState } from 'react';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import type { FieldErrors } from '../../domain/validate.ts';
import { notify } from '../../stores/notifications.ts';

export interface Submit {
  readonly busy: boolean;
  /** True when the request takes longer than usual: the connection is slow or silently gone. */
  readonly slow: boolean;
  /** Why the last attempt failed. Empty before the first one and while one is running. */
  readonly failure: string;
  readonly errors: FieldErrors;
  /** Runs one request at a time. A failure becomes a toast, and field errors where the server names fields. */
  submit(): void;
}

/** Submits a form that needs an immediate answer, such as a sign-in. It is never queued. */
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

/** A request that takes longer counts as slow. Milliseconds. */
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
