import { styled } from '@mui/material/styles';
import { Button } from './button.tsx';
import { colour, tint } from './tokens.ts';
import type { ReactNode } from 'react';
import { t } from '../language/t.ts';

interface Props {
  /** What went wrong, in plain words. */
  message: string;
  /** The consequence: the shown copy is older, nothing is lost. */
  children?: ReactNode;
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
}

/** A notice about a failed load, with Retry. It does not interrupt, since nothing is lost. */
export function FailureNotice({ message, children, onRetry, retrying = false }: Props) {
  return (
    <Frame>
      <span>
        <strong>{message}</strong> {children}
      </span>
      {onRetry && (
        <Button size="small" variant="outlined" color="inherit" disabled={retrying} onClick={onRetry}>
          {t('Retry')}
        </Button>
      )}
    </Frame>
  );
}

const Frame = styled('output')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(1.5),
  '& > span': { flex: '1 1 16rem' },
  padding: theme.spacing(1.5, 2),
  marginBottom: theme.spacing(2),
  borderRadius: 12,
  border: `1px solid ${tint(colour.caution, 45)}`,
  backgroundColor: tint(colour.caution, 10, colour.surface),
}));
