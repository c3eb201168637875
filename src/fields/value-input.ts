import type { ValueField } from '../domain/fields.ts';

/** What every input of a text value gets. `described` is the id of the message below it. */
export interface ValueInputProps<F extends ValueField> {
  readonly field: F;
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly invalid: boolean;
  readonly described: string | undefined;
  /** All values of the form, for fields that depend on another. */
  readonly values: Readonly<Record<string, string>>;
  /** The list to choose from, where the server supplies it. */
  readonly lookup?: LookupState | undefined;
  /** What other records have there. */
  readonly suggestions?: readonly string[] | undefined;
}

/** A list the server supplies, as far as this device knows it. `fetchedAt` is in epoch milliseconds. */
export interface LookupState {
  readonly options?: readonly string[];
  readonly fetchedAt?: number;
  /** Why the list could not be asked for again. */
  readonly failure?: string;
}

/** The attributes that all text controls share. `name` is the field's name on the wire. */
export function controlProps(props: ValueInputProps<ValueField>) {
  return {
    id: props.id,
    name: props.field.name,
    className: 'control',
    'aria-invalid': props.invalid,
    'aria-required': props.field.required,
    ...(props.described === undefined ? {} : { 'aria-describedby': props.described }),
    ...(props.onBlur === undefined ? {} : { onBlur: props.onBlur }),
  };
}
