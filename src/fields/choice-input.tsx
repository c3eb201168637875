import type { FieldOf } from '../domain/fields.ts';
import { Options } from './options.tsx';
import { controlProps, type ValueInputProps } from './value-input.ts';

/** A select with a fixed list of options. */
export function ChoiceInput(props: ValueInputProps<FieldOf<'choice'>>) {
  return (
    <select {...controlProps(props)} value={props.value} onChange={(event) => props.onChange(event.target.value)}>
      <Options label={props.field.label} value={props.value} options={props.field.options} />
    </select>
  );
}
