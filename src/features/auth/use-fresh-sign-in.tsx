import { type ReactNode, useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { useSession } from '../../stores/session.ts';
import { optional } from '../../ui/late.tsx';
import { msg, t } from '../../language/t.ts';

const SignInDialog = optional(() => import('./sign-in-dialog.tsx'));

const WHY = msg('Sign in again to change how people sign in. You won’t be asked again for 15 minutes.');

/** Runs work that the server allows only shortly after a sign-in. */
export interface FreshSignIn {
  /** Runs `work`, after a sign-in if the server asks for one. Rejects if the work fails or the sign-in is dismissed. */
  freshly<T>(work: () => Promise<T>): Promise<T>;
  /** The sign-in dialog. The screen has to render it. */
  readonly dialog: ReactNode;
}

/** The two ways a requested sign-in ends. */
interface Asked {
  readonly signedIn: () => void;
  readonly closed: () => void;
}

/** Opens the sign-in dialog when the server requires a recent sign-in, then runs the work again. `why` says what for. */
export function useFreshSignIn(why: string = WHY): FreshSignIn {
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
    // Another user may have signed in.
    if (useSession.getState().user?.id !== user?.id) throw new ApiFailure('refused', t('Nothing was changed.'));
    return work();
  };
  const dialog = asked && (
    <SignInDialog why={why} onClose={asked.closed} onSignedIn={asked.signedIn} onMissing={asked.closed} />
  );
  return { freshly, dialog };
}
