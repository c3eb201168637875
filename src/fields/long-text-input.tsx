import type { FieldOf } from '../domain/fields.ts';
import { controlProps, type ValueInputProps } from './value-input.ts';

/** A multi-line text input. */
export function LongTextInput(props: ValueInputProps<FieldOf<'longText'>>) {
  return (
    <textarea
      {...controlProps(props)}
      rows={props.field.rows}
      style={{ minHeight: `calc(${props.field.rows * 1.5}em + 22px)` }}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}
