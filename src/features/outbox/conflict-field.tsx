import { type Field, isValue } from '../../domain/fields.ts';
import type { FieldDifference } from '../../domain/outbox/conflict.ts';
import type { FileReference } from '../../domain/outbox/vocabulary.ts';
import { ValueFieldInput } from '../../fields/value-field.tsx';
import { Version } from './conflict-version.tsx';
import type { Choice } from './decision.ts';
import { msg, say, t } from '../../language/t.ts';

interface ConflictFieldProps {
  readonly field: Field | undefined;
  readonly difference: FieldDifference;
  /** The picture picked on this device for this field. */
  readonly ownPicture: FileReference | undefined;
  /** False for a file that only the server has: there is no local file to send. */
  readonly canBeMine: boolean;
  readonly choice: Choice | undefined;
  readonly onChoose: (choice: Choice) => void;
}

const CHANGED_BY = {
  me: msg('changed by you'),
  them: msg('changed on the server'),
  both: msg('changed by both'),
} as const;

/** One field in columns: before, mine and theirs, with a choice between the last two or a third value. */
export function ConflictField(props: ConflictFieldProps) {
  const { field, difference, ownPicture, canBeMine, choice, onChoose } = props;
  const { base, mine, theirs, changedBy } = difference;
  const name = `choice-${difference.field}`;
  return (
    <fieldset className="conflict-field" data-open={choice === undefined}>
      <legend>
        {say(field?.label ?? difference.field)} <small>{say(CHANGED_BY[changedBy])}</small>
      </legend>
      <div className="conflict-columns">
        <Before field={field} text={base} />
        {canBeMine ? (
          <label className="conflict-choice">
            <span className="conflict-side">
              <input type="radio" name={name} checked={choice === 'mine'} onChange={() => onChoose('mine')} />
              {t('Mine')}
            </span>
            <Version field={field} text={mine} before={base} picked={ownPicture} />
          </label>
        ) : (
          <p className="conflict-none">{t('Not changed here')}</p>
        )}
        <label className="conflict-choice">
          <span className="conflict-side">
            <input type="radio" name={name} checked={choice === 'theirs'} onChange={() => onChoose('theirs')} />
            {t('Theirs')}
          </span>
          <Version field={field} text={theirs} before={base} />
        </label>
      </div>
      <SomethingElse {...props} name={name} />
    </fieldset>
  );
}

/** A field that a deletion would remove: as this device last saw it, and as it is now. It offers no choice. */
export function ChangedField({ field, difference }: Pick<ConflictFieldProps, 'field' | 'difference'>) {
  const { base, theirs } = difference;
  return (
    <section className="conflict-field" aria-label={say(field?.label ?? difference.field)}>
      <h2>{say(field?.label ?? difference.field)}</h2>
      <div className="conflict-columns" data-columns="2">
        <Before field={field} text={base} />
        <div className="conflict-before">
          <span className="conflict-side">{t('Now')}</span>
          <Version field={field} text={theirs} before={base} />
        </div>
      </div>
    </section>
  );
}

function Before({ field, text }: { field: Field | undefined; text: string }) {
  return (
    <div className="conflict-before">
      <span className="conflict-side">{t('Before')}</span>
      <Version field={field} text={text} />
    </div>
  );
}

/** Lets the administrator enter a value that neither side has. */
function SomethingElse({ field, difference, choice, onChoose, name }: ConflictFieldProps & { name: string }) {
  if (field === undefined || !isValue(field)) return null;
  const edited = typeof choice === 'object' ? choice.edited : undefined;
  return (
    <>
      <label className="conflict-other">
        <input
          type="radio"
          name={name}
          checked={edited !== undefined}
          onChange={() => onChoose({ edited: edited ?? difference.mine })}
        />
        {t('Something else')}
      </label>
      {edited !== undefined && (
        <div className="conflict-edit">
          <ValueFieldInput
            field={field.kind === 'lookup' ? { ...field, kind: 'text', maxLength: 255 } : field}
            value={edited}
            values={{}}
            onChange={(value) => onChoose({ edited: value })}
          />
        </div>
      )}
    </>
  );
}
