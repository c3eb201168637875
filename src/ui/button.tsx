import { styled } from '@mui/material/styles';
import type { ComponentProps, ReactNode } from 'react';
import { colour, tint } from './tokens.ts';
import { Link } from './link.tsx';

/**
 * The buttons of the first paint. They look like MUI's, which forms and dialogs use, at a twentieth of the size: each kilobyte and
 * each component delays the first list on a slow tablet.
 */
interface Look {
  readonly variant?: 'text' | 'outlined' | 'contained';
  readonly color?: 'primary' | 'inherit' | 'error';
  readonly size?: 'small';
  readonly startIcon?: ReactNode;
}

/** A button that performs an action. */
export function Button({ children, startIcon, ...props }: Look & Omit<ComponentProps<'button'>, keyof Look>) {
  const { own, look } = apart(props);
  return (
    <PlainButton type="button" {...own} {...look}>
      {startIcon}
      {children}
    </PlainButton>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ children, startIcon, ...props }: Look & Omit<ComponentProps<typeof Link>, keyof Look>) {
  const { own, look } = apart(props);
  return (
    <PlainLink {...own} {...look}>
      {startIcon}
      {children}
    </PlainLink>
  );
}

function apart<P extends Look>({ variant = 'text', color = 'primary', size, ...own }: P) {
  return { own, look: { 'data-variant': variant, 'data-colour': color, 'data-size': size } };
}

const INK = 'var(--ink)';

const look = {
  '--ink': colour.brand,
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 8,
  boxSizing: 'border-box',
  minWidth: 64,
  minHeight: 40,
  padding: '5px 15px',
  border: '1px solid transparent',
  borderRadius: 10,
  background: 'none',
  color: INK,
  font: 'inherit',
  fontSize: '0.9375rem',
  fontWeight: 600,
  textDecoration: 'none',
  cursor: 'pointer',
  '& > svg': { marginInlineStart: -4, fontSize: 20 },
  '&:focus-visible': { borderRadius: 10 },
  '&[data-colour="inherit"]': { '--ink': 'currentColor' },
  '&[data-colour="error"]': { '--ink': colour.bad },
  '&[data-variant="outlined"]': { borderColor: colour.line },
  '&[data-variant="contained"]': { backgroundColor: colour.brand, color: colour.onBrand },
  '&[data-size="small"]': { minHeight: 34, padding: '2px 11px', fontSize: '0.875rem' },
  '@media (pointer: coarse)': { '&, &[data-size="small"]': { minHeight: 44 } },
  '&:hover': { backgroundColor: tint(INK, 6) },
  '&[data-variant="contained"]:hover': { backgroundColor: 'var(--vd-palette-primary-dark)' },
  '&:disabled': { opacity: 0.5, cursor: 'default', backgroundColor: 'transparent' },
} as const;

const PlainButton = styled('button')(look);
const PlainLink = styled(Link)(look);

/** A button with only an icon. Needs an `aria-label`. */
export const IconButton = styled('button')({
  display: 'inline-grid',
  placeItems: 'center',
  minWidth: 34,
  minHeight: 34,
  padding: 5,
  border: 0,
  borderRadius: 10,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  fontSize: '1.0625rem',
  cursor: 'pointer',
  '&:hover': { backgroundColor: tint(colour.text, 6) },
  '&:focus-visible': { borderRadius: 10 },
  '@media (pointer: coarse)': { minWidth: 44, minHeight: 44 },
});
