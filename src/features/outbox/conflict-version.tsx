import type { Field } from '../../domain/fields.ts';
import type { FileReference } from '../../domain/outbox/vocabulary.ts';
import { LocalPicture } from '../../resource/local-picture.tsx';
import { useThumbnailAddress } from '../../resource/thumbnails.ts';
import { Picture } from '../../ui/picture.tsx';
import { textDifference } from './text-difference.ts';
import { missingWords } from '../../fields/missing-words.ts';
import { useConnection } from '../../stores/connection.ts';
import { valueWords } from '../../fields/value-words.ts';
import { t } from '../../language/t.ts';

interface VersionProps {
  readonly field: Field | undefined;
  readonly text: string;
  /** The base text: differences from it are marked. */
  readonly before?: string;
  /** The picture picked on this device, if this is the local version. */
  readonly picked?: FileReference | undefined;
}

/** One version of a field: pictures are shown, and differences in long texts are marked. */
export function Version({ field, text, before, picked }: VersionProps) {
  if (picked !== undefined) return <LocalPicture reference={picked} className="conflict-image" />;
  if (text === '') return <span className="conflict-text conflict-empty">{t('(empty)')}</span>;
  if (field?.kind === 'image') return <StoredPicture name={text} />;
  return (
    <span className="conflict-text">
      {textDifference(valueWords(field, before ?? text), valueWords(field, text)).map(({ text: piece, kind }, place) =>
        kind === 'same' ? (
          piece
        ) : kind === 'added' ? (
          <ins key={place}>{piece}</ins>
        ) : (
          <del key={place} aria-hidden>
            {piece}
          </del>
        ),
      )}
    </span>
  );
}

function StoredPicture({ name }: { name: string }) {
  const address = useThumbnailAddress();
  const isServerHere = useConnection(({ radio, answers }) => radio && answers === true);
  return (
    <Picture
      src={address(name, 300)}
      alt={t('On the server')}
      className="conflict-image"
      missing={missingWords(isServerHere)}
    />
  );
}
