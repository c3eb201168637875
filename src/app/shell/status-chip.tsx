import { styled } from '@mui/material/styles';
import { colour, tint } from '../../ui/tokens.ts';
import type { Status } from './status-words.ts';
import { useStatus } from './use-status.ts';
import { Link } from '../../ui/link.tsx';

/** Always visible: the connection, pending changes, and changes that need attention. Opens the outbox. */
export function StatusChip() {
  const { tone, words } = useStatus();
  // The percentage is not announced, because screen readers would never stop talking.
  const said = words.replace(/ · \d+\s?%$/, '');
  return (
    <Chip to="/outbox" title={words} data-tone={tone} style={{ '--tone': TONES[tone] } as React.CSSProperties}>
      <Dot aria-hidden="true" />
      <span>
        <span aria-live="polite">{said}</span>
        {words.slice(said.length)}
      </span>
    </Chip>
  );
}

const TONES: Readonly<Record<Status['tone'], string>> = {
  good: colour.good,
  busy: colour.info,
  offline: colour.caution,
  attention: colour.bad,
};

const Chip = styled(Link)(({ theme }) => ({
  ...theme.typography.body2,
  display: 'inline-flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 34,
  padding: '0 14px 0 12px',
  borderRadius: 999,
  border: `1px solid ${tint('var(--tone)', 35)}`,
  backgroundColor: tint('var(--tone)', 9),
  color: 'var(--tone)',
  fontWeight: 600,
  fontVariantNumeric: 'tabular-nums',
  textDecoration: 'none',
  whiteSpace: 'nowrap',
  overflow: 'hidden',
  '& > span:last-of-type': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '&:hover': { backgroundColor: tint('var(--tone)', 16) },
  '&:focus-visible': { borderRadius: 999 },
  '@media (pointer: coarse)': { minWidth: 44, minHeight: 44 },
  // On a phone, two buttons leave no space for a long status on one line, in any language.
  '@media (max-width: 599.95px)': {
    minHeight: 44,
    fontSize: '0.8125rem',
    lineHeight: 1.2,
    whiteSpace: 'normal',
    textWrap: 'balance',
  },
}));

const Dot = styled('span')({
  flex: 'none',
  width: 8,
  height: 8,
  borderRadius: '50%',
  backgroundColor: 'currentColor',
  '@keyframes pulse': { '50%': { opacity: 0.25 } },
  '[data-tone="busy"] > &': { animation: 'pulse 1.2s ease-in-out infinite' },
});
