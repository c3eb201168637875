import { Link } from 'react-router-dom';
import { filesOf, type OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { LocalPicture } from '../../resource/local-picture.tsx';
import { recordLink } from './entry-links.ts';

/** The name of the record that an entry is about, leading to it. */
export function EntryTitle({ entry }: { entry: OutboxEntry }) {
  const link = recordLink(entry);
  return link === undefined ? entry.title : <Link to={link}>{entry.title}</Link>;
}

/** The first picture that an entry carries, from its bytes on this device. */
export function EntryPicture({ entry }: { entry: OutboxEntry }) {
  const picture = filesOf(entry).find(({ type }) => type.startsWith('image/'));
  return picture === undefined ? null : <LocalPicture reference={picture} className="entry-picture" />;
}
