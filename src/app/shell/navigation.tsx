import HomeIcon from '@mui/icons-material/HomeOutlined';
import SiteMetaIcon from '@mui/icons-material/TuneOutlined';
import { styled } from '@mui/material/styles';
import { RESOURCES } from '../../domain/resources/index.ts';
import { SITE_META } from '../../domain/site-meta.ts';
import { FindButton } from '../find/find-button.tsx';
import { Brand } from './brand.tsx';
import { NavGroup } from './nav-group.tsx';
import { NavEntry, NavHeading, NavList } from './nav-parts.tsx';
import { navColour } from '../../ui/tokens.ts';

/** The whole navigation: the permanent sidebar of a wide screen, and what the drawer of a smaller one holds. */
export function Navigation() {
  return (
    <Frame aria-label="Sidebar">
      <Brand />
      <FindButton />
      <Scroller aria-label="Navigation">
        <NavHeading>Main</NavHeading>
        <NavList>
          <li>
            <NavEntry to="/" end>
              <HomeIcon />
              Dashboard
            </NavEntry>
          </li>
          <li>
            <NavEntry to={SITE_META.path}>
              <SiteMetaIcon />
              {SITE_META.label}
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
