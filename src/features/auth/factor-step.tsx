import Button from '@mui/material/Button';
import { type FormEvent, useState } from 'react';
import { passkeysWork, signInWithCode } from '../../api/second-factor.ts';
import { CODE_DIGITS, type FactorAsked } from '../../domain/protocol/second-factor.ts';
import { useFirstFocus } from '../../ui/use-first-focus.ts';
import { CodeInput } from './code-input.tsx';
import PasskeyButton from './passkey-button.tsx';
import { useSubmit } from './use-submit.ts';
import './auth.css';
import { t } from '../../language/t.ts';

interface Props {
  asked: FactorAsked;
  remember: boolean;
  onSignedIn: () => void;
  /** Returns to the password, for another account or another attempt. */
  onBack: () => void;
}

/** The second step of a sign-in: a passkey, a code from an authenticator app, or a recovery code. */
export default function FactorStep({ asked, remember, onSignedIn, onBack }: Props) {
  const mayUsePasskey = asked.passkey && passkeysWork();
  const [onPaper, setOnPaper] = useState(!asked.code);
  const [code, setCode] = useState('');
  const isEmpty = code.trim() === '';
  const { busy, slow, failure, errors, submit } = useSubmit(async () => {
    await signInWithCode(asked.ticket, code, remember);
    onSignedIn();
  });
  useFirstFocus('.second-step');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isEmpty) submit();
  };
  const other = () => {
    setOnPaper(!onPaper);
    setCode('');
  };
  const error = errors['code']?.[0];
  return (
    <form className="sign-in second-step" onSubmit={onSubmit} noValidate aria-label={t('Second factor')}>
      <p className="sign-in-lead">{leadFor({ mayUsePasskey, onPaper })}</p>
      {mayUsePasskey && (
        <>
          <PasskeyButton remember={remember} ticket={asked.ticket} onSignedIn={onSignedIn} />
          <p className="sign-in-or">{t('or')}</p>
        </>
      )}
      {failure !== '' && error === undefined && <p className="form-failure">{failure}</p>}
      <CodeInput
        label={onPaper ? t('Recovery code') : t('Code from your authenticator app')}
        digits={onPaper ? undefined : CODE_DIGITS}
        value={code}
        error={error}
        onChange={setCode}
      />
      <output className="form-slow">{slow && t('The connection is slow. Still trying…')}</output>
      <Button
        type="submit"
        variant={mayUsePasskey ? 'outlined' : 'contained'}
        size="large"
        aria-disabled={busy || isEmpty}
      >
        {busy ? t('Checking…') : t('Continue')}
      </Button>
      <div className="sign-in-options">
        {asked.code ? (
          <Button color="inherit" onClick={other}>
            {onPaper ? t('Use the authenticator app') : t('Use a recovery code')}
          </Button>
        ) : (
          <span />
        )}
        <Button color="inherit" onClick={onBack}>
          {t('Start over')}
        </Button>
      </div>
    </form>
  );
}

function leadFor({ mayUsePasskey, onPaper }: { mayUsePasskey: boolean; onPaper: boolean }): string {
  if (mayUsePasskey) return t('Password accepted. Now confirm it’s you.');
  if (onPaper) return t('Enter one of your recovery codes. Each works once.');
  return t('Password accepted. Now open your authenticator app.');
}
