import { styled } from '@mui/material/styles';
import { colour } from './tokens.ts';

/** A rounded card with a hairline border, as a background for content. */
export const Surface = styled('section')(({ theme }) => ({
  backgroundColor: colour.surface,
  border: `1px solid ${colour.line}`,
  borderRadius: 16,
  padding: theme.spacing(2.5),
  [theme.breakpoints.up('md')]: { padding: theme.spacing(3) },
}));
