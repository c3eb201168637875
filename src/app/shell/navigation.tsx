import HomeIcon from '@mui/icons-material/HomeOutlined';
import SiteMetaIcon from '@mui/icons-material/TuneOutlined';
import { styled } from '@mui/material/styles';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { RESOURCES } from '../../domain/resources/index.ts';
import { screenOf } from '../../domain/resource.ts';
import { siteMeta } from '../../domain/resources/site-meta.ts';
import { FindButton } from '../find/find-button.tsx';
import { Brand } from './brand.tsx';
import { NavGroup } from './nav-group.tsx';
import { NavEntry, NavHeading, NavList } from './nav-parts.tsx';
import { navColour } from '../../ui/tokens.ts';
import { say, t } from '../../language/t.ts';

/** The full navigation: the sidebar of a wide screen, or the content of the drawer on a smaller one. */
export function Navigation() {
  const entries = useShownEntry();
  return (
    <Frame aria-label={t('Sidebar')}>
      <Brand />
      <FindButton />
      <Scroller aria-label={t('Navigation')} ref={entries}>
        <NavHeading>{t('Main')}</NavHeading>
        <NavList>
          <li>
            <NavEntry to="/" end>
              <HomeIcon />
              {t('Dashboard')}
            </NavEntry>
          </li>
          <li>
            <NavEntry to={screenOf(siteMeta, siteMeta.only)}>
              <SiteMetaIcon />
              {say(siteMeta.label.one)}
            </NavEntry>
          </li>
          {RESOURCES.map((resource) => (
            <NavGroup key={resource.name} resource={resource} />
          ))}
        </NavList>
      </Scroller>
    </Frame>
  );
}

/** Keeps the current page's entry in view, even with many groups open. */
function useShownEntry() {
  const entries = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    // Waits a frame, because the group of the entry opens together with the page.
    const frame = requestAnimationFrame(() => {
      const scroller = entries.current;
      const entry = scroller?.querySelector(`a[href="${pathname}"]`);
      if (scroller && entry) bringIntoSight(scroller, entry);
    });
    return () => cancelAnimationFrame(frame);
  }, [pathname]);
  return entries;
}

/** Space kept above and below the current entry. CSS pixels. */
const CLEAR = 24;

/** Scrolls only the sidebar; `scrollIntoView` would scroll the page as well. */
function bringIntoSight(scroller: HTMLElement, entry: Element): void {
  const frame = scroller.getBoundingClientRect();
  const box = entry.getBoundingClientRect();
  const below = box.bottom + CLEAR - frame.bottom;
  const above = frame.top + CLEAR - box.top;
  if (below > 0) scroller.scrollTop += below;
  else if (above > 0) scroller.scrollTop -= above;
}

const Frame = styled('aside')({
  display: 'flex',
  flexDirection: 'column',
  width: 268,
  height: '100%',
  backgroundColor: navColour.ground,
  color: navColour.text,
});

const Scroller = styled('nav')({
  flex: 1,
  minHeight: 0,
  overflowY: 'auto',
  padding: '0 12px 24px',
  scrollbarColor: `${navColour.line} transparent`,
  scrollbarWidth: 'thin',
});
