import RefreshIcon from '@mui/icons-material/Refresh';
import { styled } from '@mui/material/styles';
import { IconButton } from './button.tsx';
import { formatMoment } from './format.ts';
import { t } from '../language/t.ts';

interface Props {
  /** When the device's copy was fetched, in epoch milliseconds. 0 if that is unknown, undefined if there is none. */
  fetchedAt?: number | undefined;
  refreshing?: boolean | undefined;
  /** Why the last refresh failed. The copy stays on screen. */
  failure?: string | undefined;
  onRefresh?: (() => void) | undefined;
}

/** The age of the shown copy, "Updated 10:42", with a refresh button. */
export function Freshness({ fetchedAt, refreshing = false, failure, onRefresh }: Props) {
  return (
    <Line>
      <span title={failure}>{wordsFor(fetchedAt, refreshing, failure)}</span>
      {onRefresh && (
        <IconButton
          type="button"
          aria-label={t('Refresh')}
          aria-disabled={refreshing}
          onClick={refreshing ? undefined : onRefresh}
        >
          <Turning fontSize="inherit" data-turning={refreshing || undefined} />
        </IconButton>
      )}
    </Line>
  );
}

function wordsFor(fetchedAt: number | undefined, refreshing: boolean, failure: string | undefined): string {
  if (fetchedAt === undefined) return refreshing ? t('Loading') : t('Not on this device yet');
  const updated =
    fetchedAt === 0 ? t('Saved copy') : t('Updated {time}', { time: formatMoment(fetchedAt, Date.now()) });
  return failure !== undefined && !refreshing ? t('{updated} · couldn’t refresh', { updated }) : updated;
}

const Line = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 2,
  fontVariantNumeric: 'tabular-nums',
});

const Turning = styled(RefreshIcon)({
  '@keyframes turn': { to: { transform: 'rotate(360deg)' } },
  '&[data-turning]': { animation: 'turn 900ms linear infinite' },
});
