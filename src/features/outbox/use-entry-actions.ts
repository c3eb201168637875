import { outbox } from '../../api/outbox.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { told, toldDone } from '../../resource/told.ts';
import { undoDeletion } from '../../resource/undo-deletion.ts';
import { notify } from '../../stores/notifications.ts';
import { useConfirm } from '../../ui/confirm.tsx';

import { discardQuestion, STAYS } from './discard-question.ts';
import { msg, say, t } from '../../language/t.ts';

const NOT_DISCARDED = msg('Nothing was discarded.');
const TOO_LATE = msg('Nothing was discarded: it has already reached the server.');

/** Actions on waiting changes. Those that would lose something for good ask first. */
export function useEntryActions() {
  const confirm = useConfirm();
  return {
    retry: (entry: OutboxEntry) => void told(outbox.retry(entry.id), t('Nothing was sent.')),
    halt: (entry: OutboxEntry, halted: boolean) => void told(outbox.haltFiles(entry.id, halted)),
    sendAnyway: (entry: OutboxEntry) => void told(outbox.sendOverAnyLink(entry.id), t('Nothing was sent.')),
    undo: (entry: OutboxEntry) => void undoDeletion(entry.id, t('Too late to undo the deletion.')),
    /** Resolves to true when the change is no longer waiting. */
    discard: async (entry: OutboxEntry): Promise<boolean> => {
      const others = await told(outbox.discardedWith(entry.id), say(NOT_DISCARDED));
      if (others === undefined || !(await confirm(discardQuestion(entry, others.length)))) return false;
      if (!(await toldDone(outbox.discard(entry.id), say(NOT_DISCARDED)))) return false;
      // The sender keeps working while the dialog is open.
      const found = await outbox.entry(entry.id).catch(() => undefined);
      if (found?.state === 'done') notify(say(TOO_LATE), { kind: 'info' });
      return true;
    },
    discardAll: async (administrator: string, count: number) => {
      const question = {
        title: t('Discard {count, plural, one {# change} other {# changes}}?', { count }),
        text: [
          t('They will not be sent, and what you entered is gone for good.'),
          say(STAYS),
          t('Export them first if you’re not sure.'),
        ].join(' '),
        confirmLabel: t('Discard all'),
        destructive: true,
      };
      if (await confirm(question)) await told(outbox.discardAll(administrator), say(NOT_DISCARDED));
    },
    adopt: (entry: OutboxEntry, serverId: number) => void told(outbox.adopt(entry.id, serverId)),
  };
}
