import Button from '@mui/material/Button';
import { type FormEvent, type MouseEvent, useId, useState } from 'react';
import { signIn } from '../../api/auth.ts';
import { SIGNED_IN } from '../../domain/messages.ts';
import type { FactorAsked } from '../../domain/protocol/second-factor.ts';
import { notify } from '../../stores/notifications.ts';
import { optional } from '../../ui/late.tsx';
import { useFirstFocus } from '../../ui/use-first-focus.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useSettings } from '../../stores/settings.ts';
import '../../fields/fields.css';
import './auth.css';
import { errorId, Labelled } from './labelled.tsx';
import { PasswordInput } from './password-input.tsx';
import { useSubmit } from './use-submit.ts';
import { rich } from '../../language/rich.tsx';
import { t } from '../../language/t.ts';

const FactorStep = optional(() => import('./factor-step.tsx'));
const PasskeyButton = optional(() => import('./passkey-button.tsx'));

interface Props {
  /** Known when a session ended while someone was working. */
  initialEmail?: string;
  onSignedIn: () => void;
}

/** Email, password and Remember. Remember is not sent: it decides how long this device keeps the session. */
export function SignInForm({ initialEmail = '', onSignedIn }: Props) {
  const id = useId();
  const [email, setEmail] = useState(initialEmail);
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(true);
  const [asked, setAsked] = useState<FactorAsked>();
  const done = () => {
    notify(SIGNED_IN, { kind: 'done' });
    onSignedIn();
  };
  const { busy, slow, failure, errors, submit } = useSubmit(async () => {
    const more = await signIn(email, password, remember);
    if (more === undefined) done();
    else setAsked(more);
  });
  const mayUsePasskey = useServerAbilities(({ secondFactor }) => secondFactor);
  // again after "Start over", whose button is gone
  useFirstFocus(asked === undefined ? '.sign-in' : '.second-step');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  const startOver = () => setAsked(undefined);
  const emailError = errors['email']?.[0];
  const passwordError = errors['password']?.[0];
  const unexplained = failure !== '' && emailError === undefined && passwordError === undefined;
  if (asked !== undefined) {
    return <FactorStep asked={asked} remember={remember} onSignedIn={done} onBack={startOver} onMissing={startOver} />;
  }
  return (
    <form className="sign-in" onSubmit={onSubmit} noValidate>
      {unexplained && <p className="form-failure">{failure}</p>}
      <Labelled id={`${id}-email`} label={t('Email')} error={emailError}>
        <input
          id={`${id}-email`}
          name="email"
          className="control"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          aria-invalid={emailError !== undefined}
          aria-describedby={emailError && errorId(`${id}-email`)}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Labelled>
      <Labelled id={`${id}-password`} label={t('Password')} error={passwordError}>
        <PasswordInput
          id={`${id}-password`}
          name="password"
          autoComplete="current-password"
          invalid={passwordError !== undefined}
          describedBy={passwordError && errorId(`${id}-password`)}
          value={password}
          onChange={setPassword}
        />
      </Labelled>
      <div className="sign-in-options">
        <label>
          <input
            type="checkbox"
            name="remember"
            checked={remember}
            onChange={(event) => setRemember(event.target.checked)}
          />
          {t('Remember')}
        </label>
        <ForgotPassword email={email} />
      </div>
      <output className="form-slow">{slow && t('The connection is slow. Still trying…')}</output>
      <Button type="submit" variant="contained" size="large" aria-disabled={busy}>
        {busy ? t('Signing in…') : t('Sign in')}
      </Button>
      {mayUsePasskey && <PasskeyButton remember={remember} onSignedIn={done} />}
    </form>
  );
}

const RESET = 'npm run admin -- reset-password';

/** Links to the installation's help page. Without one it refers to another administrator. */
function ForgotPassword({ email }: { email: string }) {
  const { forgotPasswordAddress } = useSettings();
  const [asked, setAsked] = useState(false);
  const tell = (event: MouseEvent) => {
    event.preventDefault();
    setAsked(true);
    notify(t('Another administrator can give you a new password.'), { kind: 'info' });
  };
  if (forgotPasswordAddress !== '') return <a href={forgotPasswordAddress}>{t('Forgot password')}</a>;
  return (
    <>
      <a href="#forgot-password" onClick={tell}>
        {t('Forgot password')}
      </a>
      {asked && (
        <output className="sign-in-help">
          {rich('Nobody else has an account? On the server, this sets a new password: {command}', {
            command: <code>{`${RESET} ${email === '' ? 'EMAIL' : email}`}</code>,
          })}
        </output>
      )}
    </>
  );
}
