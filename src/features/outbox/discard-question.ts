import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { YesOrNo } from '../../ui/confirm.tsx';
import { msg, say, t } from '../../language/t.ts';

/** Added when part of the change was sent, or may have been. */
export const STAYS = msg('What has reached the server already stays there.');

/** The confirmation before a change is discarded. `later` is how many later changes go with it. */
export function discardQuestion(entry: OutboxEntry, later: number): YesOrNo {
  const left = entry.state === 'sending' || mayBeDelivered(entry);
  const along =
    later === 0
      ? ''
      : t('{count, plural, one {# later change} other {# later changes}} of this record will go with it.', {
          count: later,
        });
  const text = [whatIsLost(entry, left), alreadyGone(entry), along, left ? say(STAYS) : ''].filter(Boolean).join(' ');
  return { title: t('Discard this change?'), text, confirmLabel: t('Discard'), destructive: true };
}

function alreadyGone({ tookAlong = 0 }: OutboxEntry): string {
  if (tookAlong === 0) return '';
  return t(
    '{count, plural, one {# earlier change of this record was dropped with the deletion and can’t be restored.} other {# earlier changes of this record were dropped with the deletion and can’t be restored.}}',
    { count: tookAlong },
  );
}

/** `left`: it was sent before, or may have been. */
function whatIsLost({ change: { op }, title }: OutboxEntry, left: boolean): string {
  const image = op === 'delete-image';
  if (op !== 'delete' && !image)
    return left
      ? t('“{title}” will not be sent again, and what you entered is gone for good.', { title })
      : t('“{title}” will not be sent, and what you entered is gone for good.', { title });
  if (left)
    return image
      ? t('The deletion of an image of “{title}” will not be sent again.', { title })
      : t('The deletion of “{title}” will not be sent again.', { title });
  return image
    ? t('The image of “{title}” will not be deleted.', { title })
    : t('“{title}” will not be deleted.', { title });
}
