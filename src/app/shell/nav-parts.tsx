import { styled } from '@mui/material/styles';
import { navColour } from '../../ui/tokens.ts';
import { NavLink } from '../../ui/link.tsx';

const row = {
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  width: '100%',
  minHeight: 40,
  padding: '0 12px',
  border: 0,
  borderRadius: 10,
  background: 'none',
  color: navColour.text,
  font: 'inherit',
  fontSize: '0.9375rem',
  fontWeight: 500,
  textAlign: 'start',
  textDecoration: 'none',
  cursor: 'pointer',
  '&:hover': { backgroundColor: navColour.raised },
  '&:focus-visible': { outline: `2px solid ${navColour.mark}`, outlineOffset: -2, borderRadius: 10 },
  '& svg': { fontSize: 20, color: navColour.quiet },
  '@media (pointer: coarse)': { minHeight: 46 },
} as const;

/** Marks the current page with an amber bar, not by colour alone. */
const here = {
  '&[aria-current="page"]': {
    backgroundColor: navColour.raised,
    fontWeight: 600,
    '& svg': { color: navColour.mark },
    '&::before': {
      content: '""',
      position: 'absolute',
      insetInlineStart: -6,
      width: 3,
      height: 22,
      borderRadius: 3,
      backgroundColor: navColour.mark,
    },
  },
} as const;

export const NavEntry = styled(NavLink)({ ...row, ...here });

export const GroupButton = styled('button')({
  ...row,
  '& .chevron': { marginInlineStart: 'auto', transition: 'transform 160ms' },
  '&[aria-expanded="true"] .chevron': { transform: 'rotate(180deg)' },
  // An edit screen has no entry, so its group is marked instead.
  '&[data-here="true"]': { fontWeight: 600, '& svg:first-of-type': { color: navColour.mark } },
});

export const SubEntry = styled(NavLink)({
  ...row,
  ...here,
  minHeight: 36,
  paddingInlineStart: 44,
  color: navColour.quiet,
  '&:hover': { backgroundColor: navColour.raised, color: navColour.text },
  '&[aria-current="page"]': { ...here['&[aria-current="page"]'], color: navColour.text },
});

export const NavHeading = styled('h2')({
  margin: '10px 12px 6px',
  color: navColour.quiet,
  fontSize: '0.75rem',
  fontWeight: 600,
  letterSpacing: '0.08em',
  textTransform: 'uppercase',
});

export const NavList = styled('ul')({ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 });
