import { useId } from 'react';
import { errorId, Labelled } from './labelled.tsx';
import '../../fields/fields.css';

interface Props {
  label: string;
  /** The length of a numeric code. Undefined for a code that also has letters. */
  digits: number | undefined;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** An input for a one-time code from an app, or for a recovery code. */
export function CodeInput({ label, digits, value, error, onChange }: Props) {
  const id = useId();
  return (
    <Labelled id={id} label={label} error={error}>
      <input
        id={id}
        name="code"
        className="control one-time-code"
        inputMode={digits === undefined ? 'text' : 'numeric'}
        autoComplete={digits === undefined ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        // Apps show a space in the middle, so it may be typed.
        maxLength={digits === undefined ? 24 : digits + 1}
        aria-invalid={error !== undefined}
        aria-describedby={error && errorId(id)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Labelled>
  );
}
