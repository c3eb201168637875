import type { FieldOf } from '../domain/fields.ts';
import { controlProps, type ValueInputProps } from './value-input.ts';

/** A single-line text input, with the on-screen keyboard for its format and suggestions from other records. */
export function TextInput(props: ValueInputProps<FieldOf<'text'>>) {
  const { field, id, suggestions = [] } = props;
  const list = suggestions.length === 0 ? undefined : `${id}-known`;
  return (
    <>
      <input
        {...controlProps(props)}
        type={field.format ?? 'text'}
        autoComplete="off"
        autoCapitalize={field.format === undefined ? 'words' : 'none'}
        spellCheck={false}
        enterKeyHint="done"
        list={list}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
      {list !== undefined && (
        <datalist id={list}>
          {suggestions.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </datalist>
      )}
    </>
  );
}
