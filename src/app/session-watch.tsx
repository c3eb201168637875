import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { dropSession } from '../api/auth.ts';
import { notify } from '../stores/notifications.ts';
import { askForSignIn, releasePage, useSession } from '../stores/session.ts';
import { isFormInUse } from '../stores/unsaved.ts';
import { optional } from '../ui/late.tsx';
import { t } from '../language/t.ts';

const SignInDialog = optional(() => import('../features/auth/sign-in-dialog.tsx'));

const putOffSignIn = () => askForSignIn(false);

/**
 * Handles a session that the server no longer accepts. Over a form in use, the sign-in opens as a dialog, and the form
 * continues afterwards, even if the sign-in is postponed. From any other screen, redirects to the sign-in and back. After a
 * log-out in another tab, only a sign-in leads back to the form.
 */
export function SessionWatch() {
  const { ended, putOff, signInAsked, left } = useSession();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!ended || putOff || left) return;
    if (isFormInUse()) return askForSignIn();
    void leave();

    async function leave(): Promise<void> {
      await dropSession();
      notify(t('Your session has ended. Please sign in again.'), { kind: 'info' });
      await navigate('/login', { replace: true, state: { from: pathname + search } });
    }
  }, [ended, putOff, left, navigate, pathname, search]);
  if (left) return <SignInDialog left onClose={releasePage} onMissing={releasePage} />;
  return signInAsked ? <SignInDialog onClose={putOffSignIn} onMissing={putOffSignIn} /> : null;
}
