import { outbox } from '../../api/outbox.ts';
import { DELETE_QUESTION } from '../../domain/messages.ts';
import { baseOfView } from '../../domain/outbox/base.ts';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import type { RecordId } from '../../domain/outbox/vocabulary.ts';
import { type AnyResource, isSingle } from '../../domain/resource.ts';
import type { StoredActions } from '../../fields/attachment-input.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { notify } from '../../stores/notifications.ts';
import { tellOutcome } from '../tell-outcome.ts';
import { enqueueAll, followed, told } from '../told.ts';
import { useAdministrator } from '../use-administrator.ts';
import { msg, say, sayOf, t } from '../../language/t.ts';
import { sayTitle } from '../say-title.ts';
import { undoDeletion } from '../undo-deletion.ts';

/** The actions of one image: delete it after a question, and undo that while the deletion is pending. */
export function useImageActions(resource: AnyResource, recordId: RecordId, view: RecordView): StoredActions {
  const confirm = useConfirm();
  const administrator = useAdministrator();
  const remove = async (key: string): Promise<void> => {
    const title = sayOf(DELETE_QUESTION, 'image');
    if (!(await confirm({ title, confirmLabel: t('Delete'), destructive: true }))) return;
    const stored = view.images.find(({ id }) => String(id) === key);
    if (isSingle(resource) || stored === undefined) return dropWaiting(view, key);
    const { id: imageId, image } = stored;
    const base = baseOfView(view);
    const change = { op: 'delete-image', resource: resource.name, recordId, imageId, image, base } as const;
    const about = { administrator, title: sayTitle(resource, { id: recordId, ...view.values }) };
    const [entry] = await enqueueAll([{ draft: change, about }]);
    if (entry !== undefined) await tellOutcome(await followed(entry));
  };
  return { onDelete: remove, onUndo: (key) => takeBack(view, key) };
}

async function takeBack(view: RecordView, imageId: string): Promise<void> {
  const deletion = view.entries.find(
    ({ change }) => change.op === 'delete-image' && String(change.imageId) === imageId,
  );
  await undoDeletion(deletion?.id);
}

const SENT = msg('It has been sent. You can delete it once this record has been reloaded from the server.');

async function dropWaiting(view: RecordView, fileId: string): Promise<void> {
  if (view.sentFiles.some(({ id }) => id === fileId)) return void notify(say(SENT), { kind: 'info' });
  const owner = view.entries.find(
    ({ change }) => (change.op === 'create' || change.op === 'update') && change.files.some(({ id }) => id === fileId),
  );
  const dropped = owner !== undefined && (await told(outbox.dropFile(owner.id, fileId)));
  if (dropped === false) notify(t('It’s already being sent. Delete it once it has arrived.'), { kind: 'info' });
}
