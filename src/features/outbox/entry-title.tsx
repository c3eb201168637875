import { isReadable } from '../../domain/outbox/scheduler.ts';
import { filesOf, type OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { isSingle } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { LocalPage } from '../../resource/local-page.tsx';
import { LocalPicture } from '../../resource/local-picture.tsx';
import { RecordPicture } from '../../resource/record-picture.tsx';
import { recordLink } from './entry-links.ts';
import { Link } from '../../ui/link.tsx';

/** The name of the entry's record, linked to the record where it has a screen. */
export function EntryTitle({ entry }: { entry: OutboxEntry }) {
  const link = recordLink(entry);
  return link === undefined ? entry.title : <Link to={link}>{entry.title}</Link>;
}

/** The entry's first picture or the first page of its PDF, read from this device; otherwise the record's picture. */
export function EntryPicture({ entry }: { entry: OutboxEntry }) {
  // A confirmed change keeps no file bytes.
  const files = entry.state === 'done' ? [] : filesOf(entry);
  const picture = files.find(({ type }) => type.startsWith('image/'));
  if (picture !== undefined) return <LocalPicture reference={picture} className="entry-picture" />;
  const document = files.find(({ type }) => type === 'application/pdf');
  if (document !== undefined) return <LocalPage reference={document} className="entry-picture" />;
  return <StoredPicture entry={entry} />;
}

function StoredPicture({ entry }: { entry: OutboxEntry }) {
  if (!isReadable(entry)) return null;
  const { change, receipt } = entry;
  const resource = resourceOf(change.resource);
  const id = receipt?.serverId ?? Number(change.recordId);
  if (isSingle(resource) || Number.isNaN(id)) return null;
  return <RecordPicture resource={resource} id={id} className="entry-picture" />;
}
