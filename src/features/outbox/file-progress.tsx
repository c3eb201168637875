import { missingFiles, type Travel } from '../../domain/outbox/uploads.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { formatSize } from '../../ui/format.ts';
import { say, t } from '../../language/t.ts';

/** Upload progress of each file that is staged before its change. */
export function FileProgress({ entry, travel }: { entry: OutboxEntry; travel: Travel | undefined }) {
  const files = missingFiles(entry, travel);
  if (files.length === 0) return null;
  return (
    <ul className="entry-files">
      {files.map(({ id, name, size, sha256 }) => {
        const upload = travel?.uploads.get(sha256);
        const offset = upload?.offset ?? 0;
        const words = t('{done} of {size}', { done: offset === 0 ? '0' : formatSize(offset), size: formatSize(size) });
        return (
          <li key={id}>
            <span className="entry-file-name">{name}</span>
            <progress value={offset} max={size} aria-label={t('{name}: {words} sent', { name, words })} />
            <span>{words}</span>
            {upload?.message !== undefined && <span className="entry-file-reason">{say(upload.message)}</span>}
          </li>
        );
      })}
    </ul>
  );
}
