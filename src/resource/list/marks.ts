import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { t } from '../../language/t.ts';

/** The mark of a row with a pending change. The words carry the meaning, the tone supports them. */
export interface Mark {
  readonly words: string;
  readonly tone: 'waiting' | 'attention' | 'leaving';
}

/** The mark of a row, or undefined if the row is in sync with the server. */
export function markOf(row: Pick<PendingRow, 'pending' | 'status'>): Mark | undefined {
  if (row.pending === undefined) return undefined;
  if (row.status === 'refused') return { words: t('Needs attention'), tone: 'attention' };
  if (row.status === 'conflict') return { words: t('Edited by someone else too'), tone: 'attention' };
  if (row.pending === 'delete') return { words: t('Deletion, waiting'), tone: 'leaving' };
  if (row.status === 'sending') return { words: t('Sending'), tone: 'waiting' };
  // while delivery is unknown, the server's row may be listed beside this one: matching them would be a guess
  if (row.status === 'checking') {
    return {
      words:
        row.pending === 'create'
          ? t('New, checking whether it was saved')
          : t('Changed, checking whether it was saved'),
      tone: 'waiting',
    };
  }
  return { words: row.pending === 'create' ? t('New, waiting') : t('Changed, waiting'), tone: 'waiting' };
}
