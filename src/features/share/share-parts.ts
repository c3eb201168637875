import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { colour } from '../../ui/tokens.ts';

export const Photos = styled('ul')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(1.5),
  margin: 0,
  padding: 0,
  listStyle: 'none',
}));

export const Photo = styled('img')({
  display: 'block',
  // Three in a row on a phone.
  width: 'min(128px, (100vw - 60px) / 3)',
  aspectRatio: '1',
  objectFit: 'cover',
  border: `1px solid ${colour.line}`,
  borderRadius: 12,
  backgroundColor: colour.surface,
});

export const Question = styled('h2')(({ theme }) => ({ ...theme.typography.h2, margin: theme.spacing(4, 0, 2) }));

export const Kinds = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 230px), 1fr))',
  gap: theme.spacing(1.5),
  margin: 0,
  padding: 0,
  listStyle: 'none',
}));

export const KindButton = styled(Button)({
  width: '100%',
  minHeight: 56,
  justifyContent: 'flex-start',
  backgroundColor: colour.surface,
});
