import { keptFile } from '../../api/trash.ts';
import { isAttachment } from '../../domain/fields.ts';
import type { KeptFile } from '../../domain/history.ts';
import { type AnyResource, fieldOf } from '../../domain/resource.ts';
import { takeFile } from '../../fields/photos/take-file.ts';
import { t } from '../../language/t.ts';
import { notify } from '../../stores/notifications.ts';
import type { OpenForm } from '../form/use-save.ts';

/** The name of this reading in the form's session. */
const RESTORED = 'restored files';

/**
 * Puts files of an earlier version into the form, where Save stores them with the texts. A file that the form has already is not added
 * again. Those that cannot be fetched are reported.
 */
export async function restoreFiles(
  resource: AnyResource,
  files: readonly KeptFile[],
  { session, dispatch }: OpenForm,
): Promise<void> {
  const picked = new Set(session.now.files.map(({ field, sha256 }) => `${field} ${sha256}`));
  let missing = 0;
  dispatch({ type: 'reading', name: RESTORED, busy: true });
  for (const kept of files) {
    const field = fieldOf(resource, kept.field);
    if (field === undefined || !isAttachment(field)) continue;
    const taken = await keptFile(kept).then((file) => file && takeFile(field, file));
    if (taken?.ok !== true) missing += 1;
    else if (!picked.has(`${field.name} ${taken.file.sha256}`))
      dispatch({ type: 'picked', field, files: [taken.file] });
  }
  dispatch({ type: 'reading', name: RESTORED, busy: false });
  if (missing === 0) return;
  notify(
    t('{count, plural, one {# file of that version} other {# files of that version}} couldn’t be loaded.', {
      count: missing,
    }),
    { kind: 'error' },
  );
}
