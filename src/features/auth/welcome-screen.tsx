import Button from '@mui/material/Button';
import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import { lookAtLink, takeLink } from '../../api/people.ts';
import type { LinkFacts } from '../../domain/protocol/people.ts';
import { notify } from '../../stores/notifications.ts';
import { type User, useSession } from '../../stores/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { errorId, Labelled } from './labelled.tsx';
import { PasswordInput } from './password-input.tsx';
import { useSubmit } from './use-submit.ts';
import '../../fields/fields.css';
import './auth.css';
import { msg, say, t } from '../../language/t.ts';

/** The target of invitation and password-reset links. The token is in the fragment, so no server log contains it. */
export default function WelcomeScreen() {
  const token = useLocation().hash.slice(1);
  // Another link pasted into the same tab starts anew.
  return <Welcome key={token} token={token} />;
}

function Welcome({ token }: { token: string }) {
  const [facts, setFacts] = useState<LinkFacts>();
  const [failure, setFailure] = useState<unknown>();
  const [looking, setLooking] = useState(true);
  const [signedIn, setSignedIn] = useState<string>();
  const navigate = useNavigate();
  const look = useCallback(() => {
    lookAtLink(token)
      .then(setFacts)
      .catch(setFailure)
      .finally(() => setLooking(false));
  }, [token]);
  useEffect(look, [look]);
  const retry = () => {
    setLooking(true);
    look();
  };
  const goOn = async ({ email }: LinkFacts) => {
    const other = signedInInsteadOf(email);
    if (other === undefined) await navigate('/login', { replace: true, state: { email } });
    else setSignedIn(other.name);
  };
  if (failure !== undefined && facts === undefined) {
    // Any other failure says nothing about the link, which may still work.
    const dead = failure instanceof ApiFailure && (failure.kind === 'missing' || failure.kind === 'invalid');
    const title = dead ? t('Nothing to open here') : t('This link can’t be opened right now');
    return (
      <AuthFrame title={title} lead={messageOf(failure)}>
        {!dead && (
          <Button variant="contained" loading={looking} onClick={retry} sx={{ mr: 1, my: 1 }}>
            {t('Retry')}
          </Button>
        )}
        <ButtonLink variant="outlined" to="/login">
          {t('Go to sign-in')}
        </ButtonLink>
      </AuthFrame>
    );
  }
  if (facts === undefined) return null;
  if (signedIn !== undefined) return <SignedInHere name={signedIn} email={facts.email} />;
  const invited = facts.purpose === 'invitation';
  const lead = invited
    ? t('Choose your name and a password.')
    : t('It replaces the old one and ends all your sessions.');
  return (
    <AuthFrame title={invited ? t('Welcome, {name}', { name: facts.name }) : t('Set a new password')} lead={lead}>
      <NewPassword token={token} facts={facts} onDone={() => goOn(facts)} />
    </AuthFrame>
  );
}

/** The user of this device's session, if that is somebody else: the sign-in would lead into it. */
function signedInInsteadOf(email: string): User | undefined {
  const { user, ended } = useSession.getState();
  return ended || user?.email === email ? undefined : user;
}

function SignedInHere({ name, email }: { name: string; email: string }) {
  return (
    <AuthFrame
      title={t('{name} is signed in on this device', { name })}
      lead={t('Log out there, then sign in as {email}.', { email })}
    >
      <ButtonLink variant="outlined" to="/">
        {t('Continue')}
      </ButtonLink>
    </AuthFrame>
  );
}

const PASSWORDS = [
  { name: 'new_password', label: msg('Password') },
  { name: 'new_password_confirmation', label: msg('Confirm password') },
] as const;

interface NewPasswordProps {
  readonly token: string;
  readonly facts: LinkFacts;
  readonly onDone: () => Promise<void>;
}

function NewPassword({ token, facts, onDone }: NewPasswordProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({ name: facts.name });
  const { busy, slow, failure, errors, submit } = useSubmit(async () => {
    notify(await takeLink({ ...values, token }), { kind: 'done' });
    await onDone();
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  const change = (name: string) => (value: string) => setValues({ ...values, [name]: value });
  const unexplained = failure !== '' && Object.keys(errors).length === 0;
  return (
    <form className="sign-in" onSubmit={onSubmit} noValidate>
      {unexplained && <p className="form-failure">{failure}</p>}
      {/* for password managers */}
      <input type="email" name="email" autoComplete="username" value={facts.email} readOnly hidden />
      {facts.purpose === 'invitation' && (
        <Labelled id="name" label={t('Name')} error={errors['name']?.[0]}>
          <input
            id="name"
            name="name"
            className="control"
            autoComplete="name"
            aria-invalid={errors['name'] !== undefined}
            aria-describedby={errors['name'] && errorId('name')}
            value={values['name']}
            onChange={(event) => change('name')(event.target.value)}
          />
        </Labelled>
      )}
      {PASSWORDS.map(({ name, label }) => (
        <Labelled key={name} id={name} label={say(label)} error={errors[name]?.[0]}>
          <PasswordInput
            id={name}
            name={name}
            autoComplete="new-password"
            invalid={errors[name] !== undefined}
            describedBy={errors[name] && errorId(name)}
            value={values[name] ?? ''}
            onChange={change(name)}
          />
        </Labelled>
      ))}
      <output className="form-slow">{slow && t('The connection is slow. Still trying…')}</output>
      <Button type="submit" variant="contained" size="large" aria-disabled={busy}>
        {busy ? t('Saving…') : t('Set password')}
      </Button>
    </form>
  );
}
