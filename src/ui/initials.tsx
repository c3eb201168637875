import { styled } from '@mui/material/styles';
import { initialsOf } from './initials-of.ts';
import { colour } from './tokens.ts';

/** A small disc with a user's initials. The name is next to it or in its title. */
export function Initials({ name }: { readonly name: string }) {
  return (
    <Disc aria-hidden="true" className="initials" title={name}>
      {initialsOf(name)}
    </Disc>
  );
}

const Disc = styled('span')(({ theme }) => ({
  display: 'grid',
  flex: 'none',
  placeItems: 'center',
  boxSizing: 'border-box',
  width: 28,
  height: 28,
  borderRadius: '50%',
  backgroundColor: colour.accent,
  color: theme.vars?.palette.secondary.contrastText ?? colour.surface,
  fontSize: '0.6875rem',
  fontWeight: 700,
}));
