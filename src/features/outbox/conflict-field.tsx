import { type Field, isValue } from '../../domain/fields.ts';
import type { FieldDifference } from '../../domain/outbox/conflict.ts';
import { ValueFieldInput } from '../../fields/value-field.tsx';
import { thumbnailAddress } from '../../resource/thumbnails.ts';
import type { Choice } from './decision.ts';

interface ConflictFieldProps {
  readonly field: Field | undefined;
  readonly difference: FieldDifference;
  readonly choice: Choice | undefined;
  readonly onChoose: (choice: Choice) => void;
}

const CHANGED_BY = { me: 'changed by you', them: 'changed on the server', both: 'changed by both' } as const;

/** One field as it was, as it is here and as it is there, with a choice between them or a third value. */
export function ConflictField({ field, difference, choice, onChoose }: ConflictFieldProps) {
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
        <label className="conflict-choice">
          <span>
            <input type="radio" name={name} checked={choice === 'mine'} onChange={() => onChoose('mine')} />
            Mine
          </span>
          {shown(mine)}
        </label>
        <label className="conflict-choice">
          <span>
            <input type="radio" name={name} checked={choice === 'theirs'} onChange={() => onChoose('theirs')} />
            Theirs
          </span>
          <Stored field={field} text={theirs} />
        </label>
        {editable && (
          <label className="conflict-choice">
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
  return <img src={thumbnailAddress(text, 300)} alt="" className="conflict-image" />;
}

function shown(text: string): string {
  return text === '' ? '(empty)' : text;
}
