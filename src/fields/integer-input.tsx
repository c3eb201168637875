import type { FieldOf } from '../domain/fields.ts';
import { controlProps, type ValueInputProps } from './value-input.ts';

/** A whole number. */
export function IntegerInput(props: ValueInputProps<FieldOf<'integer'>>) {
  return (
    <input
      {...controlProps(props)}
      type="number"
      inputMode="numeric"
      enterKeyHint="done"
      step={props.field.step}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
      // A wheel turned over a focused number would change it without being noticed.
      onWheel={(event) => event.currentTarget.blur()}
    />
  );
}
