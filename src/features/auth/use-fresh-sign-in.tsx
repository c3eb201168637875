import { lazy, type ReactNode, Suspense, useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { useSession } from '../../stores/session.ts';
import { msg, t } from '../../language/t.ts';

const SignInDialog = lazy(() => import('./sign-in-dialog.tsx'));

const WHY = msg('Sign in again to change how people sign in. You won’t be asked again for 15 minutes.');

/** What only somebody may do who signed in just now. */
export interface FreshSignIn {
  /** Does something, after a sign-in where the server asks for one. Rejects where it failed, or nobody has signed in. */
  freshly<T>(work: () => Promise<T>): Promise<T>;
  /** To be shown by the screen. */
  readonly dialog: ReactNode;
}

/** How a sign-in that was asked for ends. */
interface Asked {
  readonly signedIn: () => void;
  readonly closed: () => void;
}

/** Asks for a sign-in over the screen when the server wants a fresh one, and goes on with what was to be done. */
export function useFreshSignIn(): FreshSignIn {
  const [asked, setAsked] = useState<Asked>();
  const signInAgain = () =>
    new Promise<void>((signedIn, reject) => {
      setAsked({ signedIn, closed: () => reject(new ApiFailure('refused', t('Nothing was changed.'))) });
    }).finally(() => setAsked(undefined));
  const freshly = async <T,>(work: () => Promise<T>) => {
    const { user } = useSession.getState();
    try {
      return await work();
    } catch (caught) {
      if (!(caught instanceof ApiFailure) || caught.kind !== 'sign-in-again') throw caught;
    }
    await signInAgain();
    // somebody else may have signed in
    if (useSession.getState().user?.id !== user?.id) throw new ApiFailure('refused', t('Nothing was changed.'));
    return work();
  };
  const dialog = asked && (
    <Suspense fallback={null}>
      <SignInDialog why={WHY} onClose={asked.closed} onSignedIn={asked.signedIn} />
    </Suspense>
  );
  return { freshly, dialog };
}
