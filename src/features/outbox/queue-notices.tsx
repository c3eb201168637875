import Button from '@mui/material/Button';
import { isStuck } from '../../domain/outbox/watchdog.ts';
import { NEEDS_SIGN_IN } from '../../domain/messages.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { QueueState } from '../../offline/outbox/queries.ts';
import { askForSignIn } from '../../stores/session.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { sendNow } from './send-now.ts';
import { LossNotice } from './loss-notice.tsx';
import { say, t } from '../../language/t.ts';

interface QueueNoticesProps {
  readonly entries: readonly OutboxEntry[];
  readonly queue: QueueState;
  readonly now: number;
}

/** Notices about the whole queue: it waits for a sign-in, is stuck, was wiped, or holds other administrators' changes. */
export function QueueNotices({ entries, queue, now }: QueueNoticesProps) {
  const online = useConnection(isOnline);
  const { pause, signedInAs, lastAttemptAt, travel, otherAdministratorsWaiting: others } = queue;
  const stuck = isStuck({ entries, pause, administrator: signedInAs, lastAttemptAt, travel, online }, now);
  return (
    <>
      <LossNotice queue={queue} />
      {pause?.cause === 'signed-out' && (
        <FailureNotice message={t('Your session has ended.')}>
          {t('Your changes will be sent as soon as you sign in.')}{' '}
          <Button size="small" color="inherit" variant="outlined" onClick={() => askForSignIn()}>
            {t('Sign in')}
          </Button>
        </FailureNotice>
      )}
      {pause?.portal && (
        <FailureNotice message={`${say(NEEDS_SIGN_IN)}.`} onRetry={() => void sendNow()}>
          {t(
            'Open any other website in this browser, sign in to the network there, and come back. What you saved is safe on this device until then.',
          )}
        </FailureNotice>
      )}
      {stuck && (
        <FailureNotice
          message={t('These changes should be sending, but nothing has gone out for a while.')}
          onRetry={() => void sendNow()}
        >
          {t('Nothing is lost. If Retry doesn’t help, reload this page or export the changes.')}
        </FailureNotice>
      )}
      {others > 0 && (
        <p className="outbox-others">
          {t(
            '{count, plural, one {# change of other administrators waits} other {# changes of other administrators wait}} on this device until they sign in.',
            { count: others },
          )}
        </p>
      )}
    </>
  );
}
