import Button from '@mui/material/Button';
import { type FormEvent, useState } from 'react';
import { changePassword } from '../../api/auth.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { notify } from '../../stores/notifications.ts';
import { errorId, Labelled } from './labelled.tsx';
import { PasswordInput } from './password-input.tsx';
import { useSubmit } from './use-submit.ts';
import '../../fields/fields.css';
import './auth.css';
import { msg, say, t } from '../../language/t.ts';

const FIELDS = [
  { name: 'previous_password', label: msg('Previous password'), autoComplete: 'current-password' },
  { name: 'new_password', label: msg('New password'), autoComplete: 'new-password' },
  { name: 'new_password_confirmation', label: msg('Confirm new password'), autoComplete: 'new-password' },
] as const;

const EMPTY: Readonly<Record<string, string>> = Object.fromEntries(FIELDS.map(({ name }) => [name, '']));

/** Changes the password. It needs an immediate answer and is never stored on the device. */
export function PasswordForm() {
  const [values, setValues] = useState(EMPTY);
  const online = useConnection(isOnline);
  const { busy, slow, failure, errors, submit } = useSubmit(async () => {
    notify(await changePassword(values), { kind: 'done' });
    setValues(EMPTY);
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  const unexplained = failure !== '' && FIELDS.every(({ name }) => errors[name] === undefined);
  return (
    <form className="sign-in" onSubmit={onSubmit} noValidate>
      {!online && (
        <p className="sign-in-note">
          {t('Changing a password needs a connection. It is never stored on this device.')}
        </p>
      )}
      {unexplained && <p className="form-failure">{failure}</p>}
      {FIELDS.map(({ name, label, autoComplete }) => {
        const error = errors[name]?.[0];
        return (
          <Labelled key={name} id={name} label={say(label)} error={error}>
            <PasswordInput
              id={name}
              name={name}
              autoComplete={autoComplete}
              invalid={error !== undefined}
              describedBy={error && errorId(name)}
              value={values[name] ?? ''}
              onChange={(value) => setValues({ ...values, [name]: value })}
            />
          </Labelled>
        );
      })}
      <output className="form-slow">{slow && t('The connection is slow. Still trying…')}</output>
      <Button type="submit" variant="contained" size="large" aria-disabled={busy}>
        {busy ? t('Changing…') : t('Change Password')}
      </Button>
    </form>
  );
}
