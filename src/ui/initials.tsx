import { styled } from '@mui/material/styles';
import { colour } from './tokens.ts';

/** A small disc with a user's initials. The name is next to it or in its title. */
export function Initials({ name }: { readonly name: string }) {
  return (
    <Disc aria-hidden="true" className="initials" title={name}>
      {initialsOf(name)}
    </Disc>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
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
