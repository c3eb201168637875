import { styled } from '@mui/material/styles';
import { colour, tint } from '../../ui/tokens.ts';

/** A hint on the dashboard: an icon, a short text and its actions. */
export const HintCard = styled('aside')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1, 2),
  marginTop: theme.spacing(2),
  padding: theme.spacing(2, 2.5),
  border: `1px solid ${tint(colour.accent, 35, colour.line)}`,
  borderRadius: 16,
  backgroundColor: tint(colour.accent, 6, colour.surface),
  '& > svg': { fontSize: 30, color: colour.accent },
  '& > div': { flex: '1 1 240px' },
  '& p': { margin: 0, color: colour.quietText, fontSize: '0.875rem' },
}));
