import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { Suspense } from 'react';
import { Outlet, Route, Routes } from 'react-router-dom';
import { notify } from '../stores/notifications.ts';
import { useSettings } from '../stores/settings.ts';
import { ConfirmHost } from '../ui/confirm.tsx';
import { onMissingCode } from '../ui/late.tsx';
import { SiteName } from '../ui/page-header.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { guardedHistory } from './history.ts';
import { LateParts } from './late-parts.tsx';
import { mayLeave } from './leaving.ts';
import { RequireUser } from './require-user.tsx';
import { GuardedRouter } from './router.tsx';
import { LoginScreen, OPEN_SCREENS, SCREENS } from './screens.tsx';
import { SessionWatch } from './session-watch.tsx';
import { Shell } from './shell/shell.tsx';
import { theme } from './theme/theme.ts';
import { WindowColour } from './theme/window-colour.ts';
import '../ui/native.css';
import { t } from '../language/t.ts';

const history = guardedHistory(mayLeave);
onMissingCode(() => notify(t('Part of the app isn’t on this device yet.'), { kind: 'error' }));

/** The whole application. */
export function App() {
  const { brandLabel } = useSettings();
  return (
    <ThemeProvider theme={theme} defaultMode="system" modeStorageKey="voltdesk.appearance" noSsr>
      <CssBaseline />
      <WindowColour />
      <GuardedRouter history={history}>
        <ErrorBoundary occasion="app">
          <SiteName value={brandLabel}>
            <Suspense fallback={null}>
              <Screens />
            </Suspense>
          </SiteName>
          <SessionWatch />
        </ErrorBoundary>
        <ConfirmHost />
        <LateParts />
      </GuardedRouter>
    </ThemeProvider>
  );
}

function Screens() {
  return (
    <Routes>
      <Route path="/login" element={<LoginScreen />} />
      {OPEN_SCREENS.map(({ path, element }) => (
        <Route key={path} path={path} element={element} />
      ))}
      <Route element={<SignedIn />}>
        {SCREENS.map(({ path, element }) => (
          <Route key={path} path={path} element={element} />
        ))}
      </Route>
    </Routes>
  );
}

function SignedIn() {
  return (
    <RequireUser>
      <Shell>
        <Outlet />
      </Shell>
    </RequireUser>
  );
}
