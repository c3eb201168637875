import type { FieldOf } from '../domain/fields.ts';
import { controlProps, type ValueInputProps } from './value-input.ts';

/** An input for an integer. */
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
      // Scrolling over a focused number input would change its value unnoticed.
      onWheel={(event) => event.currentTarget.blur()}
    />
  );
}
