import { useState } from 'react';
import { t } from '../../language/t.ts';

interface Props {
  id: string;
  name: string;
  value: string;
  onChange: (value: string) => void;
  autoComplete: 'current-password' | 'new-password';
  invalid: boolean;
  describedBy?: string | undefined;
}

/** A password input with a button to show the password. */
export function PasswordInput({ id, name, value, onChange, autoComplete, invalid, describedBy }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <div className="password">
      <input
        id={id}
        name={name}
        className="control"
        type={shown ? 'text' : 'password'}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <button type="button" aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? t('Hide') : t('Show')}
      </button>
    </div>
  );
}
