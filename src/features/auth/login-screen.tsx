import { styled } from '@mui/material/styles';
import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { refreshCapabilities } from '../../api/capabilities.ts';
import { useWaitingHere } from '../../api/waiting-here.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { useSession } from '../../stores/session.ts';
import { useSettings } from '../../stores/settings.ts';

import { colour, tint } from '../../ui/tokens.ts';
import { AuthFrame } from './auth-frame.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { t } from '../../language/t.ts';

/** The sign-in. Anyone already signed in is redirected to where they were heading. */
export default function LoginScreen() {
  const signedIn = useSession(({ token, ended }) => token !== undefined && !ended);
  const { companyLabel } = useSettings();
  const { state } = useLocation();
  // Tells whether the server supports passkeys.
  useEffect(() => void refreshCapabilities(), []);
  if (signedIn) return <Navigate to={destinationIn(state)} replace />;
  return (
    <AuthFrame title={t('Sign in')} lead={t('{companyLabel}, back office', { companyLabel })}>
      <WaitingHere />
      <SignInForm initialEmail={emailIn(state)} onSignedIn={() => {}} />
    </AuthFrame>
  );
}

/** How many changes of any administrator wait on this device. Nobody is signed in, so it shows counts only. */
function WaitingHere() {
  const waiting = useWaitingHere();
  const online = useConnection(isOnline);
  if (waiting === 0 && online) return null;
  return (
    <Notice>
      {waiting > 0 && (
        <>
          {t(
            '{count, plural, one {# change waits on this device and will be sent when the administrator who made it signs in.} other {# changes wait on this device and will be sent when the administrator who made them signs in.}}',
            { count: waiting },
          )}{' '}
        </>
      )}
      {!online && t('You’re offline. Signing in needs a connection.')}
    </Notice>
  );
}

/** The address from a link that was just used to set a password. */
function emailIn(state: unknown): string {
  const { email } = (state ?? {}) as { email?: unknown };
  return typeof email === 'string' ? email : '';
}

/**
 * Where to go after the sign-in. Only paths of this app are followed, never another origin. The app opens at "/", which is
 * nobody's choice: it leads to the screen the user starts with.
 */
function destinationIn(state: unknown): string {
  const { from } = (state ?? {}) as { from?: unknown };
  return typeof from === 'string' && /^\/[^/]/.test(from) && from !== '/login'
    ? from
    : usePreferences.getState().landing;
}

const Notice = styled('output')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'block',
  margin: theme.spacing(-2, 0, 3),
  padding: theme.spacing(1.5, 2),
  borderRadius: 12,
  border: `1px solid ${tint(colour.info, 35)}`,
  backgroundColor: tint(colour.info, 8, colour.surface),
}));
