import type { FieldOf } from '../domain/fields.ts';
import { formatMoment } from '../ui/format.ts';
import { Options } from './options.tsx';
import { controlProps, type LookupState, type ValueInputProps } from './value-input.ts';
import { t } from '../language/t.ts';

const NOTHING_KNOWN: LookupState = {};

/**
 * A select with options from the server. Offers the cached list, and says so if it could not be refreshed. If no list is
 * cached, the value can be typed, so that work can continue offline.
 */
export function LookupInput(props: ValueInputProps<FieldOf<'lookup'>>) {
  const { field, values, lookup = NOTHING_KNOWN } = props;
  const parent = parentOf(field, values);
  const shared = controlProps(props);
  if (parent !== '' && lookup.options === undefined && lookup.failure !== undefined) {
    return (
      <input {...shared} type="text" value={props.value} onChange={(event) => props.onChange(event.target.value)} />
    );
  }
  return (
    <select
      {...shared}
      disabled={props.disabled || parent === ''}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
    >
      <Options label={field.label} value={props.value} options={lookup.options ?? []} />
    </select>
  );
}

/** Returns a note if the list is loading, stale or unavailable. */
export function lookupNote(
  field: FieldOf<'lookup'>,
  values: Readonly<Record<string, string>>,
  lookup: LookupState = NOTHING_KNOWN,
): string | undefined {
  if (parentOf(field, values) === '') return undefined;
  const { options, failure, fetchedAt } = lookup;
  if (failure === undefined) return options === undefined ? t('Loading the options…') : undefined;
  if (options === undefined) return t('The options couldn’t be loaded. Type the value.');
  return fetchedAt === undefined
    ? t('Saved options (offline)')
    : t('Options from {time} (offline)', { time: formatMoment(fetchedAt, Date.now()) });
}

/** The value that the list depends on. Undefined if it depends on none. */
function parentOf({ dependsOn }: FieldOf<'lookup'>, values: Readonly<Record<string, string>>): string | undefined {
  return dependsOn === undefined ? undefined : (values[dependsOn] ?? '');
}
