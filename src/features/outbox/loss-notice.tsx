import Button from '@mui/material/Button';
import { outbox } from '../../api/outbox.ts';
import type { QueueState } from '../../offline/outbox/queries.ts';
import { told } from '../../resource/told.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { formatMoment } from '../../ui/format.ts';
import { useNow } from './use-now.ts';
import { t } from '../../language/t.ts';

/** Reports that the browser has deleted waiting changes, until someone acknowledges it. */
export function LossNotice({ queue }: { readonly queue: QueueState | undefined }) {
  const noticedAt = queue?.lossNoticedAt;
  const now = useNow(60_000);
  if (noticedAt === undefined) return null;
  return (
    <FailureNotice message={t('This browser has deleted what was saved on this device.')}>
      {t(
        'Changes that were still waiting to be sent are gone (noticed {time}). Check your latest changes and redo any that are missing.',
        { time: formatMoment(noticedAt, now) },
      )}{' '}
      <Button
        size="small"
        color="inherit"
        variant="outlined"
        onClick={() => void told(outbox.acknowledgeLoss(), t('This notice couldn’t be dismissed.'))}
      >
        {t('I’ve checked')}
      </Button>
    </FailureNotice>
  );
}
