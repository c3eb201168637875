import { type Field, isValue } from '../../domain/fields.ts';
import type { FieldDifference } from '../../domain/outbox/conflict.ts';
import type { FileReference } from '../../domain/outbox/vocabulary.ts';
import { ValueFieldInput } from '../../fields/value-field.tsx';
import { LocalPicture } from '../../resource/local-picture.tsx';
import { useThumbnailAddress } from '../../resource/thumbnails.ts';
import { Picture } from '../../ui/picture.tsx';
import type { Choice } from './decision.ts';

interface ConflictFieldProps {
  readonly field: Field | undefined;
  readonly difference: FieldDifference;
  /** The picture that was picked here for this field. */
  readonly ownPicture: FileReference | undefined;
  /** False for a file that only the server has: there is nothing of one's own to send. */
  readonly canBeMine: boolean;
  readonly choice: Choice | undefined;
  readonly onChoose: (choice: Choice) => void;
}

const CHANGED_BY = { me: 'changed by you', them: 'changed on the server', both: 'changed by both' } as const;

/** One field as it was, as it is here and as it is there, with a choice between them or a third value. */
export function ConflictField({ field, difference, ownPicture, canBeMine, choice, onChoose }: ConflictFieldProps) {
  const { base, mine, theirs, changedBy } = difference;
  const name = `choice-${difference.field}`;
  const edited = typeof choice === 'object' ? choice.edited : undefined;
  const editable = field !== undefined && isValue(field);
  return (
    <fieldset className="conflict-field" data-open={choice === undefined}>
      <legend>
        {field?.label ?? difference.field} <small>({CHANGED_BY[changedBy]})</small>
      </legend>
      <div className="conflict-choices">
        <div className="conflict-choice">
          <span>Before</span>
          <Stored field={field} text={base} />
        </div>
        {canBeMine && (
          <label className="conflict-choice">
            <span>
              <input type="radio" name={name} checked={choice === 'mine'} onChange={() => onChoose('mine')} />
              Mine
            </span>
            {ownPicture === undefined ? (
              shown(mine)
            ) : (
              <LocalPicture reference={ownPicture} className="conflict-image" />
            )}
          </label>
        )}
        <label className="conflict-choice">
          <span>
            <input type="radio" name={name} checked={choice === 'theirs'} onChange={() => onChoose('theirs')} />
            Theirs
          </span>
          <Stored field={field} text={theirs} />
        </label>
        {editable && (
          <label className="conflict-choice conflict-other">
            <span>
              <input
                type="radio"
                name={name}
                checked={edited !== undefined}
                onChange={() => onChoose({ edited: edited ?? mine })}
              />
              Something else
            </span>
          </label>
        )}
      </div>
      {editable && edited !== undefined && (
        <div className="conflict-edit">
          <ValueFieldInput
            field={field.kind === 'lookup' ? { ...field, kind: 'text', maxLength: 255 } : field}
            value={edited}
            values={{}}
            onChange={(value) => onChoose({ edited: value })}
          />
        </div>
      )}
    </fieldset>
  );
}

/** What is on the server: a picture is shown, not its made-up name. */
function Stored({ field, text }: { field: Field | undefined; text: string }) {
  if (field?.kind !== 'image' || text === '') return shown(text);
  return <StoredPicture name={text} />;
}

function StoredPicture({ name }: { name: string }) {
  const address = useThumbnailAddress();
  return (
    <Picture src={address(name, 300)} alt="On the server" className="conflict-image" missing="Not on this device" />
  );
}

function shown(text: string): string {
  return text === '' ? '(empty)' : text;
}
