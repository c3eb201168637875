import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { YesOrNo } from '../../ui/confirm.tsx';
import { formatCount } from '../../ui/format.ts';

/** Said where some of it has left, or may have. */
export const STAYS = 'What has reached the server already stays there.';

/** What is asked before a change is given up; `later` is how many others go with it. */
export function discardQuestion(entry: OutboxEntry, later: number): YesOrNo {
  const left = entry.state === 'sending' || mayBeDelivered(entry);
  const along = later === 0 ? '' : `${formatCount(later, 'later change')} of this record will go with it.`;
  const text = [whatIsLost(entry, left), along, left ? STAYS : ''].filter(Boolean).join(' ');
  return { title: 'Discard this change?', text, confirmLabel: 'Discard', destructive: true };
}

/** `left`: it has gone out before, or may have. */
function whatIsLost({ change: { op }, title }: OutboxEntry, left: boolean): string {
  const image = op === 'delete-image';
  if (op !== 'delete' && !image)
    return `“${title}” will not be sent${left ? ' again' : ''}, and what you entered is gone for good.`;
  if (left) return `The deletion of ${image ? 'an image of ' : ''}“${title}” will not be sent again.`;
  return `${image ? 'The image of ' : ''}“${title}” will not be deleted.`;
}
