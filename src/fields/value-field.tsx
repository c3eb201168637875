import { type ComponentType, type ReactNode, useId } from 'react';
import type { FieldOf, ValueField } from '../domain/fields.ts';
import { ChoiceInput } from './choice-input.tsx';
import { FieldFrame, messageId, messageOf } from './field-frame.tsx';
import { IntegerInput } from './integer-input.tsx';
import { LongTextInput } from './long-text-input.tsx';
import { LookupInput, lookupNote } from './lookup-input.tsx';
import { TextInput } from './text-input.tsx';
import type { LookupState, ValueInputProps } from './value-input.ts';
import './fields.css';

/** One input per kind of text value: a kind without one does not compile. */
const INPUTS: { readonly [K in ValueField['kind']]: ComponentType<ValueInputProps<FieldOf<K>>> } = {
  text: TextInput,
  longText: LongTextInput,
  integer: IntegerInput,
  choice: ChoiceInput,
  lookup: LookupInput,
};

export interface ValueFieldInputProps {
  readonly field: ValueField;
  readonly value: string;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  /** The list to choose from, where the server supplies it. */
  readonly lookup?: LookupState | undefined;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  /** What to know where nothing is wrong. */
  readonly note?: ReactNode;
  /** What other records have there. */
  readonly suggestions?: readonly string[] | undefined;
  /** The control's id, where something else links to it; made up otherwise. */
  readonly id?: string;
}

/** A labelled control for a text value, with its hint and error. */
export function ValueFieldInput(props: ValueFieldInputProps) {
  const madeUp = useId();
  const id = props.id ?? madeUp;
  const { field, error, hint } = props;
  const note = props.note ?? (field.kind === 'lookup' ? lookupNote(field, props.values, props.lookup) : undefined);
  const message = messageOf({ error, hint, note });
  // The map pairs each kind with its input; the compiler can't follow a field through its own kind.
  const Input = INPUTS[field.kind] as ComponentType<ValueInputProps<ValueField>>;
  return (
    <FieldFrame field={field} id={id} message={message}>
      <Input
        field={field}
        id={id}
        value={props.value}
        values={props.values}
        lookup={props.lookup}
        suggestions={props.suggestions}
        onChange={props.onChange}
        {...(props.onBlur === undefined ? {} : { onBlur: props.onBlur })}
        invalid={error !== undefined}
        described={message && messageId(id)}
      />
    </FieldFrame>
  );
}
