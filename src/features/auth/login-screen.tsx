import { styled } from '@mui/material/styles';
import { Navigate, useLocation } from 'react-router-dom';
import { useWaitingHere } from '../../api/waiting-here.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { useSession } from '../../stores/session.ts';
import { useSettings } from '../../stores/settings.ts';
import { useDocumentTitle } from '../../ui/page-header.tsx';
import { formatCount } from '../../ui/format.ts';
import { colour, navColour, tint } from '../../ui/tokens.ts';
import { SignInForm } from './sign-in-form.tsx';

/** The sign-in. Who is signed in already, or has just become so, goes on to where they were heading. */
export default function LoginScreen() {
  const signedIn = useSession(({ token, ended }) => token !== undefined && !ended);
  const { brandLabel, locationLine, companyLabel } = useSettings();
  const { state } = useLocation();
  useDocumentTitle('Sign in');
  if (signedIn) return <Navigate to={destinationIn(state)} replace />;
  return (
    <Frame>
      <Side aria-hidden="true">
        <Bolt src="/icons/icon.svg" alt="" width="72" height="72" />
        <p>Save anywhere.</p>
        <p>It arrives when you are back in range.</p>
      </Side>
      <Main>
        <Sheet>
          <SmallBolt src="/icons/icon.svg" alt="" width="52" height="52" />
          <Company>{[brandLabel, locationLine].filter((text) => text !== '').join(' · ')}</Company>
          <Heading>Sign in</Heading>
          <Lead>{companyLabel}, back office</Lead>
          <WaitingHere />
          <SignInForm onSignedIn={() => {}} />
        </Sheet>
      </Main>
    </Frame>
  );
}

/** What waits on this device, of whomever: counts only, nobody is signed in. */
function WaitingHere() {
  const waiting = useWaitingHere();
  const online = useConnection(isOnline);
  if (waiting === 0 && online) return null;
  return (
    <Notice>
      {waiting > 0 && (
        <>
          {formatCount(waiting, 'change waits', 'changes wait')} on this device and will be sent when the administrator
          who made {waiting === 1 ? 'it' : 'them'} signs in.{' '}
        </>
      )}
      {!online && 'You’re offline. Signing in needs a connection.'}
    </Notice>
  );
}

/** Only paths of this app: an address from elsewhere leads home. */
function destinationIn(state: unknown): string {
  const { from } = (state ?? {}) as { from?: unknown };
  return typeof from === 'string' && /^\/(?!\/)/.test(from) && from !== '/login' ? from : '/';
}

const Frame = styled('div')(({ theme }) => ({
  display: 'grid',
  minHeight: '100dvh',
  [theme.breakpoints.up('md')]: { gridTemplateColumns: 'minmax(320px, 5fr) 7fr' },
}));

const Side = styled('div')(({ theme }) => ({
  display: 'none',
  flexDirection: 'column',
  justifyContent: 'flex-end',
  padding: theme.spacing(7),
  background: `radial-gradient(120% 90% at 0% 0%, ${navColour.raised}, ${navColour.ground} 70%)`,
  color: navColour.text,
  fontSize: 'clamp(1.75rem, 1rem + 2vw, 2.75rem)',
  fontWeight: 680,
  letterSpacing: '-0.025em',
  lineHeight: 1.15,
  '& p': { margin: 0, maxWidth: '14ch' },
  '& p + p': {
    marginTop: theme.spacing(2),
    maxWidth: '26ch',
    color: navColour.quiet,
    fontSize: '1.125rem',
    fontWeight: 450,
    letterSpacing: 0,
    lineHeight: 1.5,
  },
  [theme.breakpoints.up('md')]: { display: 'flex' },
}));

const SmallBolt = styled('img')(({ theme }) => ({
  borderRadius: 13,
  marginBottom: theme.spacing(3),
  [theme.breakpoints.up('md')]: { display: 'none' },
}));

const Bolt = styled('img')({ marginBottom: 'auto', borderRadius: 18 });

const Main = styled('main')(({ theme }) => ({
  display: 'grid',
  alignContent: 'center',
  justifyItems: 'center',
  padding: theme.spacing(4, 2.5),
}));

const Sheet = styled('div')({ width: '100%', maxWidth: 400 });

const Notice = styled('output')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'block',
  margin: theme.spacing(-2, 0, 3),
  padding: theme.spacing(1.5, 2),
  borderRadius: 12,
  border: `1px solid ${tint(colour.info, 35)}`,
  backgroundColor: tint(colour.info, 8, colour.surface),
}));

const Company = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  margin: 0,
  color: colour.accent,
  fontWeight: 650,
}));

const Heading = styled('h1')(({ theme }) => ({ ...theme.typography.h1, margin: theme.spacing(0.5, 0, 0.5) }));

const Lead = styled('p')(({ theme }) => ({
  ...theme.typography.body1,
  margin: theme.spacing(0, 0, 4),
  color: colour.quietText,
}));
