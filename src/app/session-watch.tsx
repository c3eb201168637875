import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { dropSession } from '../api/auth.ts';
import { notify } from '../stores/notifications.ts';
import { askForSignIn, useSession } from '../stores/session.ts';
import { isFormInUse } from '../stores/unsaved.ts';
import { optional } from '../ui/late.tsx';
import { t } from '../language/t.ts';

const SignInDialog = optional(() => import('../features/auth/sign-in-dialog.tsx'));

const putOffSignIn = () => askForSignIn(false);

/**
 * Handles a session that the server no longer accepts. Over a form in use, the sign-in opens as a dialog, and the form
 * continues afterwards, even if the sign-in is postponed. From any other screen, redirects to the sign-in and back.
 */
export function SessionWatch() {
  const { ended, putOff, signInAsked } = useSession();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!ended || putOff) return;
    if (isFormInUse()) return askForSignIn();
    void leave();

    async function leave(): Promise<void> {
      await dropSession();
      notify(t('Your session has ended. Please sign in again.'), { kind: 'info' });
      await navigate('/login', { replace: true, state: { from: pathname + search } });
    }
  }, [ended, putOff, navigate, pathname, search]);
  return signInAsked ? <SignInDialog onClose={putOffSignIn} onMissing={putOffSignIn} /> : null;
}
