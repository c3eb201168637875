import { useId } from 'react';
import { errorId, Labelled } from './labelled.tsx';
import '../../fields/fields.css';

interface Props {
  label: string;
  /** How long a code of digits is; undefined for one of letters too. */
  digits: number | undefined;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A code that is typed from a telephone or from paper. */
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
        // a blank in the middle is how apps show it
        maxLength={digits === undefined ? 24 : digits + 1}
        aria-invalid={error !== undefined}
        aria-describedby={error && errorId(id)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Labelled>
  );
}
