import type { FieldOf } from '../domain/fields.ts';
import { formatMoment } from '../ui/format.ts';
import { Options } from './options.tsx';
import { controlProps, type LookupState, type ValueInputProps } from './value-input.ts';

const NOTHING_KNOWN: LookupState = {};

/**
 * One of a list that the server supplies. The list last seen on this device is offered, and said to be old when it could
 * not be asked for again. Where none was ever seen the value can be typed, so that work goes on without a connection.
 */
export function LookupInput(props: ValueInputProps<FieldOf<'lookup'>>) {
  const { field, lookup = NOTHING_KNOWN } = props;
  const parent = field.dependsOn === undefined ? undefined : (props.values[field.dependsOn] ?? '');
  const noteId = `${props.id}-note`;
  const note = parent === '' ? undefined : noteOn(lookup);
  const described = [props.described, note === undefined ? undefined : noteId].filter(Boolean).join(' ');
  const shared = controlProps({ ...props, described: described === '' ? undefined : described });
  return (
    <>
      {parent !== '' && lookup.options === undefined && lookup.failure !== undefined ? (
        <input {...shared} type="text" value={props.value} onChange={(event) => props.onChange(event.target.value)} />
      ) : (
        <select
          {...shared}
          disabled={parent === ''}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        >
          <Options label={field.label} value={props.value} options={lookup.options ?? []} />
        </select>
      )}
      {note !== undefined && (
        <p className="field-hint" id={noteId}>
          {note}
        </p>
      )}
    </>
  );
}

function noteOn(lookup: LookupState): string | undefined {
  if (lookup.failure === undefined) return lookup.options === undefined ? 'Loading the list…' : undefined;
  if (lookup.options === undefined) return 'The list could not be loaded. Type the value.';
  const age = lookup.fetchedAt === undefined ? 'from before' : `as of ${formatMoment(lookup.fetchedAt, Date.now())}`;
  return `The list ${age}: it could not be asked for again.`;
}
