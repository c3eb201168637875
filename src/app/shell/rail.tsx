import HomeIcon from '@mui/icons-material/HomeOutlined';
import MenuIcon from '@mui/icons-material/Menu';
import SearchIcon from '@mui/icons-material/Search';
import SiteMetaIcon from '@mui/icons-material/TuneOutlined';
import { styled } from '@mui/material/styles';
import type { ComponentType } from 'react';
import { useLocation } from 'react-router-dom';
import { routesOf, screenOf } from '../../domain/resource.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { siteMeta } from '../../domain/resources/site-meta.ts';
import { openPanel } from '../../stores/panels.ts';
import { RESOURCE_ICONS } from '../../ui/resource-icons.ts';
import { navColour } from '../../ui/tokens.ts';
import { Link } from '../../ui/link.tsx';
import { breakable, msg, say, t } from '../../language/t.ts';

interface Place {
  readonly label: string;
  readonly to: string;
  readonly Icon: ComponentType;
  /** The common prefix of its page addresses. */
  readonly prefix: string;
}

const PLACES: readonly Place[] = [
  { label: msg('Dashboard'), to: '/', Icon: HomeIcon, prefix: '/' },
  {
    label: siteMeta.label.one,
    to: screenOf(siteMeta, siteMeta.only),
    Icon: SiteMetaIcon,
    prefix: screenOf(siteMeta, siteMeta.only),
  },
  ...RESOURCES.map((resource) => ({
    label: resource.label.many,
    to: routesOf(resource).list,
    Icon: RESOURCE_ICONS[resource.name],
    prefix: `/${resource.path}-`,
  })),
];

/** A tablet's navigation: one labelled icon per entry, and a button that opens the full navigation. */
export function Rail({ onOpen }: { onOpen: () => void }) {
  const { pathname } = useLocation();
  return (
    <Frame aria-label={t('Navigation')}>
      <Toggler type="button" onClick={onOpen} aria-label={t('Navigation')} aria-haspopup="dialog">
        <MenuIcon />
      </Toggler>
      <Toggler type="button" onClick={() => openPanel('find')} aria-label={t('Find')}>
        <SearchIcon />
      </Toggler>
      {PLACES.map(({ label, to, Icon, prefix }) => (
        <Entry key={to} to={to} aria-current={isWithin(pathname, prefix) ? 'page' : undefined}>
          <Icon />
          {breakable(say(label))}
        </Entry>
      ))}
    </Frame>
  );
}

function isWithin(pathname: string, prefix: string): boolean {
  return prefix === '/' ? pathname === '/' : pathname.startsWith(prefix);
}

const Frame = styled('nav')({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  gap: 4,
  width: 96,
  height: '100%',
  padding: '10px 4px 16px',
  overflowY: 'auto',
  scrollbarWidth: 'none',
  backgroundColor: navColour.ground,
});

const item = {
  flex: 'none',
  border: 0,
  borderRadius: 12,
  background: 'none',
  color: navColour.quiet,
  font: 'inherit',
  cursor: 'pointer',
  '&:hover': { backgroundColor: navColour.raised, color: navColour.text },
  '&:focus-visible': { outline: `2px solid ${navColour.mark}`, outlineOffset: -2, borderRadius: 12 },
} as const;

const Toggler = styled('button')({
  ...item,
  display: 'grid',
  placeItems: 'center',
  width: 48,
  height: 48,
});

const Entry = styled(Link)({
  ...item,
  display: 'grid',
  justifyItems: 'center',
  alignContent: 'center',
  gap: 3,
  width: 88,
  minHeight: 58,
  padding: '6px 2px',
  fontSize: '0.6875rem',
  fontWeight: 500,
  lineHeight: 1.2,
  textAlign: 'center',
  textDecoration: 'none',
  overflowWrap: 'anywhere',
  hyphens: 'auto',
  '& svg': { fontSize: 22 },
  '&[aria-current="page"]': { backgroundColor: navColour.raised, color: navColour.text },
  '&[aria-current="page"] svg': { color: navColour.mark },
});
