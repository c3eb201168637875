import DoneIcon from '@mui/icons-material/CloudDoneOutlined';
import SendIcon from '@mui/icons-material/SendOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useEntries, useQueueState, useReceipts } from '../../api/live.ts';
import { bytesForWifi, isForWifi, isHalted, pausedBytes } from '../../domain/outbox/progress.ts';
import type { Travel } from '../../domain/outbox/uploads.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { useAdministrator } from '../../resource/use-administrator.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

import { PageHeader } from '../../ui/page-header.tsx';
import { ListSkeleton } from '../../ui/skeletons.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { EntryCard } from './entry-card.tsx';
import { factsOf, type QueueFacts } from './entry-words.ts';
import { QueueFile } from './queue-file.tsx';
import { QueueNotices } from './queue-notices.tsx';
import { QueueProgress } from './queue-progress.tsx';
import ForgottenNotice from './forgotten-notice.tsx';
import { KeptSection } from './kept-section.tsx';
import { ReceiptList } from './receipt-list.tsx';
import { sendNow } from './send-now.ts';
import { useEntryActions } from './use-entry-actions.ts';
import { useNow } from './use-now.ts';
import './outbox.css';
import { t } from '../../language/t.ts';

/** Lists the changes waiting on this device with their reasons, and the receipts. */
export default function OutboxScreen() {
  const administrator = useAdministrator();
  const entries = useEntries();
  const receipts = useReceipts() ?? [];
  const queue = useQueueState();
  const now = useNow(15_000);
  const count = entries?.length ?? 0;
  const travel = queue?.travel;
  const online = useConnection(isOnline);
  // "Send now" does not send changes that need attention, are paused or wait for Wi-Fi: alone they do not show it.
  const sendable = entries?.some((entry) => isSendable(entry, travel)) ?? false;
  return (
    <>
      <PageHeader
        title={t('Outbox')}
        subtitle={
          count === 0
            ? t('Changes saved here and not on the server yet')
            : t('{count, plural, one {# change} other {# changes}} on this device', { count })
        }
        actions={
          <>
            <QueueFile administrator={administrator} canExport={count > 0} />
            {sendable && (
              <Button
                // Offline it can only check the connection, so it is not the primary action.
                {...(online
                  ? { variant: 'contained' as const }
                  : { variant: 'outlined' as const, color: 'inherit' as const })}
                startIcon={<SendIcon />}
                onClick={() => void sendNow()}
              >
                {t('Send now')}
              </Button>
            )}
          </>
        }
      />
      {(queue?.forgotten ?? 0) > 0 && <ForgottenNotice now={now} />}
      {entries !== undefined && queue !== undefined && <QueueNotices entries={entries} queue={queue} now={now} />}
      {queue !== undefined && (
        <QueueProgress
          progress={queue.progress}
          paused={pausedBytes(entries ?? [], travel)}
          forWifi={bytesForWifi(entries ?? [], travel)}
          now={now}
        />
      )}
      {entries === undefined && <ListSkeleton rows={3} />}
      {entries?.length === 0 && queue !== undefined && (
        <EmptyState
          icon={<DoneIcon />}
          // Lost changes were not sent.
          title={queue.lossNoticedAt === undefined ? t('All changes sent') : t('Nothing waiting on this device')}
        >
          {t('What you save without a connection waits here until it can be sent.')}
        </EmptyState>
      )}
      {entries !== undefined && count > 0 && (
        <Waiting entries={entries} facts={factsOf(entries, queue ?? {}, now)} administrator={administrator} />
      )}
      <KeptSection now={now} />
      {receipts.length > 0 && (
        <section className="outbox-part" aria-labelledby="receipts">
          <h2 id="receipts">{t('Arrived in the last 30 days')}</h2>
          <ReceiptList receipts={receipts} now={now} />
        </section>
      )}
    </>
  );
}

/** More cards than anyone reads at once. */
const SHOWN = 60;

function Waiting(props: { entries: readonly OutboxEntry[]; facts: QueueFacts; administrator: string }) {
  const { entries, facts } = props;
  const { discardAll } = useEntryActions();
  const [all, setAll] = useState(false);
  const shown = all ? entries : attentionFirst(entries).slice(0, SHOWN);
  useKeptFocus(shown.map(({ id }) => id));
  const attention = shown.filter(needsSomebody);
  const waiting = shown.filter((entry) => !needsSomebody(entry));
  return (
    <>
      <Entries id="attention" title={t('Needs your attention')} entries={attention} facts={facts} />
      <Entries id="waiting" title={t('Waiting on this device')} entries={waiting} facts={facts} />
      <div className="outbox-foot">
        {shown.length < entries.length && (
          <Button color="inherit" onClick={() => setAll(true)}>
            {t('Show {count, plural, one {# more change} other {# more changes}}', {
              count: entries.length - shown.length,
            })}
          </Button>
        )}
        {entries.length > 1 && (
          <Button color="error" onClick={() => void discardAll(props.administrator, entries.length)}>
            {t('Discard all')}
          </Button>
        )}
      </div>
    </>
  );
}

interface EntriesProps {
  readonly id: string;
  readonly title: string;
  readonly entries: readonly OutboxEntry[];
  readonly facts: QueueFacts;
}

function Entries({ id, title, entries, facts }: EntriesProps) {
  if (entries.length === 0) return null;
  return (
    <section className="outbox-part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="entries">
        {entries.map((entry) => (
          <EntryCard key={entry.id} entry={entry} facts={facts} />
        ))}
      </ul>
    </section>
  );
}

/** Changes that need attention come first; the rest keep the order they are sent in. */
function attentionFirst(entries: readonly OutboxEntry[]): readonly OutboxEntry[] {
  return [...entries.filter(needsSomebody), ...entries.filter((entry) => !needsSomebody(entry))];
}

function isSendable(entry: OutboxEntry, travel: Travel | undefined): boolean {
  return !needsSomebody(entry) && !isHalted(entry, travel) && !isForWifi(entry, travel);
}

function needsSomebody({ state }: OutboxEntry): boolean {
  return state === 'attention';
}
