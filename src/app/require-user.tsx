import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { refreshUser } from '../api/auth.ts';
import { messageOf } from '../api/failure.ts';
import { useSession } from '../stores/session.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { late } from '../ui/late.tsx';
import { useLogOut } from './log-out/use-log-out.ts';
import { t } from '../language/t.ts';

const OwedScreen = late(() => import('../features/auth/owed-screen.tsx'));

/**
 * Admits signed-in administrators. Redirects everyone else to the sign-in, and from there back to their destination. The screens
 * of one administrator are never those of the next: all their state goes with them.
 */
export function RequireUser({ children }: { children: ReactNode }) {
  const { user, token, left } = useSession();
  const { pathname, search } = useLocation();
  if (token === undefined && !left) return <Navigate to="/login" replace state={{ from: pathname + search }} />;
  if (user === undefined) return <UnknownUser />;
  return user.owes === undefined ? <Fragment key={user.id}>{children}</Fragment> : <Owed />;
}

/** Redirects to what the account must do first. */
function Owed() {
  return <OwedScreen onLogOut={useLogOut()} />;
}

/** There is a token but no stored user, so only the server knows whose it is. A rejected token ends the session. */
function UnknownUser() {
  const [failure, setFailure] = useState<string>();
  const ask = () => void refreshUser().catch((caught: unknown) => setFailure(messageOf(caught)));
  useEffect(ask, []);
  if (failure === undefined) return null;
  return (
    <main>
      <EmptyState title={t('Who is signed in?')} action={<Button onClick={ask}>{t('Retry')}</Button>}>
        {failure}
      </EmptyState>
    </main>
  );
}
