import Button from '@mui/material/Button';
import { outbox } from '../../api/outbox.ts';
import type { QueueState } from '../../offline/outbox/queries.ts';
import { told } from '../../resource/told.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { formatMoment } from '../../ui/format.ts';
import { useNow } from './use-now.ts';

/** Tells, until somebody has read it, that the browser has thrown away what waited on this device. */
export function LossNotice({ queue }: { readonly queue: QueueState | undefined }) {
  const noticedAt = queue?.lossNoticedAt;
  const now = useNow(60_000);
  if (noticedAt === undefined) return null;
  return (
    <FailureNotice message="This browser has deleted what was saved on this device.">
      Changes that were still waiting to be sent are gone (noticed {formatMoment(noticedAt, now)}). Check your last
      changes, and make again those that are missing.{' '}
      <Button
        size="small"
        color="inherit"
        variant="outlined"
        onClick={() => void told(outbox.acknowledgeLoss(), 'The notice stays.')}
      >
        I have checked
      </Button>
    </FailureNotice>
  );
}
