import { outbox } from '../../api/outbox.ts';
import { mayHaveArrived } from '../../domain/outbox/order.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { told } from '../../resource/told.ts';
import { notify } from '../../stores/notifications.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { formatCount } from '../../ui/format.ts';

/** Said where some of it has left, or may have. */
const STAYS = 'What has reached the server already stays there.';
const NOT_DISCARDED = 'Nothing was discarded.';

/** What can be done with waiting changes. Each asks where something would be gone for good. */
export function useEntryActions() {
  const confirm = useConfirm();
  return {
    retry: (entry: OutboxEntry) => void told(outbox.retry(entry.id), 'Nothing was sent.'),
    undo: async (entry: OutboxEntry) => {
      const undone = await told(outbox.undo(entry.id));
      if (undone === false) notify('It is too late: the deletion is on its way.', { kind: 'info' });
    },
    discard: async (entry: OutboxEntry) => {
      const others = await told(outbox.discardedWith(entry.id), NOT_DISCARDED);
      if (others === undefined) return;
      const along =
        others.length === 0 ? '' : ` ${formatCount(others.length, 'later change')} of this record will go with it.`;
      const [again, stays] = mayHaveLeft(entry) ? [' again', ` ${STAYS}`] : ['', ''];
      const question = {
        title: 'Discard this change?',
        text: `“${entry.title}” will not be sent${again}, and what you entered is gone for good.${along}${stays}`,
        confirmLabel: 'Discard',
        destructive: true,
      };
      if (await confirm(question)) await told(outbox.discard(entry.id), NOT_DISCARDED);
    },
    discardAll: async (administrator: string, count: number) => {
      const question = {
        title: `Discard ${formatCount(count, 'change')}?`,
        text: `They will not be sent, and what you entered is gone for good. ${STAYS} Export them first if you are not sure.`,
        confirmLabel: 'Discard all',
        destructive: true,
      };
      if (await confirm(question)) await told(outbox.discardAll(administrator), NOT_DISCARDED);
    },
    adopt: (entry: OutboxEntry, serverId: number) => void told(outbox.adopt(entry.id, serverId)),
  };
}

function mayHaveLeft(entry: OutboxEntry): boolean {
  return entry.state === 'sending' || mayHaveArrived(entry);
}
