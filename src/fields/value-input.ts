import type { ValueField } from '../domain/fields.ts';

/** Props of every text value input. `described` is the id of the message below it. */
export interface ValueInputProps<F extends ValueField> {
  readonly field: F;
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly disabled: boolean;
  readonly invalid: boolean;
  readonly described: string | undefined;
  /** All values of the form, for fields that depend on another. */
  readonly values: Readonly<Record<string, string>>;
  /** The options, if the server supplies them. */
  readonly lookup?: LookupState | undefined;
  /** Values of other records. */
  readonly suggestions?: readonly string[] | undefined;
}

/** A list from the server, as cached on this device. `fetchedAt` is in epoch milliseconds. */
export interface LookupState {
  readonly options?: readonly string[];
  readonly fetchedAt?: number;
  /** Why the list could not be refreshed. */
  readonly failure?: string;
}

/** Attributes shared by all text controls. `name` is the field's name in the request. */
export function controlProps(props: ValueInputProps<ValueField>) {
  return {
    id: props.id,
    name: props.field.name,
    className: 'control',
    disabled: props.disabled,
    'aria-invalid': props.invalid,
    'aria-required': props.field.required,
    ...(props.described === undefined ? {} : { 'aria-describedby': props.described }),
    ...(props.onBlur === undefined ? {} : { onBlur: props.onBlur }),
  };
}
