import { outbox } from '../../api/outbox.ts';
import { deleteQuestion } from '../../domain/messages.ts';
import { baseOfView } from '../../domain/outbox/base.ts';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import type { RecordId } from '../../domain/outbox/vocabulary.ts';
import { type Resource, titleOf } from '../../domain/resource.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { notify } from '../../stores/notifications.ts';
import { tellOutcome } from '../tell-outcome.ts';
import { enqueueAll, followed, told } from '../told.ts';
import { useAdministrator } from '../use-administrator.ts';

/** Deletes one image of a record: a stored one through the outbox, after asking; one that still waits leaves its change. */
export function useDeleteImage(resource: Resource, recordId: RecordId, view: RecordView) {
  const confirm = useConfirm();
  const administrator = useAdministrator();
  return async (key: string): Promise<void> => {
    const title = deleteQuestion('image');
    if (!(await confirm({ title, confirmLabel: 'Delete', destructive: true }))) return;
    const stored = view.images.find(({ id }) => String(id) === key);
    if (stored === undefined) {
      await dropWaiting(view, key);
      return;
    }
    const { id: imageId, image } = stored;
    const base = baseOfView(view);
    const draft = { op: 'delete-image', resource: resource.name, recordId, imageId, image, base } as const;
    const about = { administrator, title: titleOf(resource, { id: recordId, ...view.values }) };
    const [entry] = await enqueueAll([{ draft, about }]);
    if (entry !== undefined) await tellOutcome(await followed(entry));
  };
}

const SENT = 'It was sent. It can be deleted as soon as this record has been read from the server again.';

async function dropWaiting(view: RecordView, fileId: string): Promise<void> {
  if (view.sentFiles.some(({ id }) => id === fileId)) return notify(SENT, { kind: 'info' });
  const owner = view.entries.find(
    ({ change }) => (change.op === 'create' || change.op === 'update') && change.files.some(({ id }) => id === fileId),
  );
  const dropped = owner !== undefined && (await told(outbox.dropFile(owner.id, fileId)));
  if (dropped === false) notify('It is on its way already. Delete it once it has arrived.', { kind: 'info' });
}
