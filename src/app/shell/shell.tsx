import { styled } from '@mui/material/styles';
import { type MouseEvent, type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { optional } from '../../ui/late.tsx';
import { ListSkeleton } from '../../ui/skeletons.tsx';
import { colour } from '../../ui/tokens.ts';
import { PHONE, useMedia, WIDE } from '../../ui/use-media.ts';
import { ErrorBoundary } from '../error-boundary.tsx';
import { Navigation } from './navigation.tsx';
import { Rail } from './rail.tsx';
import { StorageNotice } from './storage-notice.tsx';
import { TopBar } from './top-bar.tsx';
import { t } from '../../language/t.ts';

const NavDrawer = optional(() => import('./nav-drawer.tsx'));

/** The frame around every screen of a signed-in administrator: navigation, top bar, and the screen itself. */
export function Shell({ children }: { children: ReactNode }) {
  const wide = useMedia(WIDE);
  const phone = useMedia(PHONE);
  const { pathname } = useLocation();
  const drawer = useDrawer(pathname);
  return (
    <Frame>
      <SkipLink href="#main" onClick={skipToContent}>
        {t('Skip to content')}
      </SkipLink>
      {!phone && <Side>{wide ? <Navigation /> : <Rail onOpen={drawer.open} />}</Side>}
      <Column>
        <TopBar onNavigation={phone ? drawer.open : undefined} />
        <StorageNotice />
        <Main id="main" tabIndex={-1}>
          <ErrorBoundary occasion={pathname}>
            <Suspense fallback={<ListSkeleton />}>{children}</Suspense>
          </ErrorBoundary>
        </Main>
      </Column>
      {drawer.used && <NavDrawer open={drawer.isOpen && !wide} onClose={drawer.close} onMissing={drawer.forget} />}
    </Frame>
  );
}

/** Moves the focus without changing the address, so the page stays the same. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** The state of the drawer. It is open only on the page it was opened on, and closed on a return to that page. */
function useDrawer(pathname: string) {
  const [openOn, setOpenOn] = useState<string>();
  const isOpen = openOn === pathname;
  if (openOn !== undefined && openOn !== CLOSED && !isOpen) setOpenOn(CLOSED);
  return {
    isOpen,
    used: openOn !== undefined,
    open: () => setOpenOn(pathname),
    close: () => setOpenOn(CLOSED),
    forget: () => setOpenOn(undefined),
  };
}

/** Means closed. No page has this address. */
const CLOSED = '';

const Frame = styled('div')({ display: 'flex', minHeight: '100dvh' });

const Side = styled('div')({ position: 'sticky', top: 0, flex: 'none', height: '100dvh' });

const Column = styled('div')({ display: 'flex', flexDirection: 'column', flex: 1, minWidth: 0 });

const Main = styled('main')(({ theme }) => ({
  flex: 1,
  width: '100%',
  maxWidth: 1240,
  margin: '0 auto',
  padding: theme.spacing(0, 2, 8),
  outline: 'none',
  [theme.breakpoints.up('sm')]: { padding: theme.spacing(1, 3, 8) },
  [theme.breakpoints.up('lg')]: { padding: theme.spacing(1.5, 5, 10) },
}));

const SkipLink = styled('a')({
  position: 'fixed',
  zIndex: 2000,
  top: 8,
  insetInlineStart: 8,
  padding: '11px 16px',
  borderRadius: 10,
  backgroundColor: colour.brand,
  color: colour.onBrand,
  fontWeight: 600,
  transform: 'translateY(-200%)',
  '&:focus': { transform: 'none' },
});
