import Button from '@mui/material/Button';
import { outbox } from '../../api/outbox.ts';
import { isStuck } from '../../domain/outbox/watchdog.ts';
import { NEEDS_SIGN_IN } from '../../domain/messages.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { QueueState } from '../../offline/outbox/queries.ts';
import { told } from '../../resource/told.ts';
import { askForSignIn } from '../../stores/session.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { formatCount } from '../../ui/format.ts';
import { LossNotice } from './loss-notice.tsx';

interface QueueNoticesProps {
  readonly entries: readonly OutboxEntry[];
  readonly queue: QueueState;
  readonly now: number;
}

/** What the queue as a whole has to tell: it waits for a sign-in, it stands still, it was wiped, others wait here too. */
export function QueueNotices({ entries, queue, now }: QueueNoticesProps) {
  const online = useConnection(isOnline);
  const { pause, signedInAs, lastAttemptAt, travel, otherAdministratorsWaiting: others } = queue;
  const stuck = isStuck({ entries, pause, administrator: signedInAs, lastAttemptAt, travel, online }, now);
  return (
    <>
      <LossNotice queue={queue} />
      {pause?.cause === 'signed-out' && entries.length > 0 && (
        <FailureNotice message="Your session has ended.">
          The changes go out as soon as you sign in.{' '}
          <Button size="small" color="inherit" variant="outlined" onClick={() => askForSignIn()}>
            Sign in
          </Button>
        </FailureNotice>
      )}
      {pause?.portal && entries.length > 0 && (
        <FailureNotice message={`${NEEDS_SIGN_IN}.`} onRetry={() => void told(outbox.sendNow(), 'Nothing was sent.')}>
          Open any other website in this browser, sign in to the network there, and come back. What you saved is safe on
          this device until then.
        </FailureNotice>
      )}
      {stuck && (
        <FailureNotice
          message="These changes should be on their way, and nothing has gone out for a while."
          onRetry={() => void told(outbox.sendNow(), 'Nothing was sent.')}
        >
          Nothing is lost. If Retry does not help, reload this page, or export the changes.
        </FailureNotice>
      )}
      {others > 0 && (
        <p className="outbox-others">
          {formatCount(others, 'change')} of other administrators {others === 1 ? 'waits' : 'wait'} on this device until
          they sign in.
        </p>
      )}
    </>
  );
}
