import { ENTRY_SCHEMA, filesOf, type OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { isSingle } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { LocalPage } from '../../resource/local-page.tsx';
import { LocalPicture } from '../../resource/local-picture.tsx';
import { RecordPicture } from '../../resource/record-picture.tsx';
import { recordLink } from './entry-links.ts';
import { Link } from '../../ui/link.tsx';

/** The name of the record that an entry is about, leading to it. */
export function EntryTitle({ entry }: { entry: OutboxEntry }) {
  const link = recordLink(entry);
  return link === undefined ? entry.title : <Link to={link}>{entry.title}</Link>;
}

/** The first picture that an entry carries, or the first page of a PDF, from its bytes on this device; otherwise that of its record. */
export function EntryPicture({ entry }: { entry: OutboxEntry }) {
  // the bytes of what has arrived are gone from this device
  const files = entry.state === 'done' ? [] : filesOf(entry);
  const picture = files.find(({ type }) => type.startsWith('image/'));
  if (picture !== undefined) return <LocalPicture reference={picture} className="entry-picture" />;
  const document = files.find(({ type }) => type === 'application/pdf');
  if (document !== undefined) return <LocalPage reference={document} className="entry-picture" />;
  return <StoredPicture entry={entry} />;
}

function StoredPicture({ entry: { change, receipt, schema } }: { entry: OutboxEntry }) {
  if (schema > ENTRY_SCHEMA) return null;
  const resource = resourceOf(change.resource);
  const id = receipt?.serverId ?? Number(change.recordId);
  if (isSingle(resource) || Number.isNaN(id)) return null;
  return <RecordPicture resource={resource} id={id} className="entry-picture" />;
}
