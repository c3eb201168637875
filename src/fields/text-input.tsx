import type { FieldOf } from '../domain/fields.ts';
import { controlProps, type ValueInputProps } from './value-input.ts';

/** One line of text, with the on-screen keyboard that fits its format. */
export function TextInput(props: ValueInputProps<FieldOf<'text'>>) {
  return (
    <input
      {...controlProps(props)}
      type={props.field.format ?? 'text'}
      autoComplete="off"
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}
