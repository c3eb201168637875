import Button from '@mui/material/Button';
import { type FormEvent, useState } from 'react';
import { askForLink } from '../../api/people.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { errorId, Labelled } from './labelled.tsx';
import { useSubmit } from './use-submit.ts';
import '../../fields/fields.css';
import './auth.css';
import { say, t } from '../../language/t.ts';

/** Requests a password-reset link by mail. */
export default function ForgottenScreen() {
  const [email, setEmail] = useState('');
  const [told, setTold] = useState<string>();
  const { busy, failure, errors, submit } = useSubmit(async () => setTold(await askForLink(email)));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  const error = errors['email']?.[0];
  if (told !== undefined) {
    return (
      <AuthFrame title={t('Check your email')} lead={`${say(told)} ${t('The link works once, within an hour.')}`}>
        <ButtonLink variant="outlined" to="/login">
          {t('Back to sign-in')}
        </ButtonLink>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={t('Forgot password')} lead={t('You’ll get an email with a link to set a new one.')}>
      <form className="sign-in" onSubmit={onSubmit} noValidate>
        {failure !== '' && error === undefined && <p className="form-failure">{failure}</p>}
        <Labelled id="email" label={t('Email')} error={error}>
          <input
            id="email"
            name="email"
            className="control"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            aria-invalid={error !== undefined}
            aria-describedby={error && errorId('email')}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Labelled>
        <Button type="submit" variant="contained" size="large" aria-disabled={busy}>
          {busy ? t('Sending…') : t('Send link')}
        </Button>
        <ButtonLink color="inherit" to="/login">
          {t('Back to sign-in')}
        </ButtonLink>
      </form>
    </AuthFrame>
  );
}
