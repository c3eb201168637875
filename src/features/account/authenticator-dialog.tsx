import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { styled } from '@mui/material/styles';
import { type FormEvent, useState } from 'react';
import { takeAuthenticator } from '../../api/second-factor.ts';
import { CODE_DIGITS, type FactorAdded, type NewAuthenticator } from '../../domain/protocol/second-factor.ts';
import { useUnsaved } from '../../stores/unsaved.ts';
import { colour, tint } from '../../ui/tokens.ts';
import { CodeInput } from '../auth/code-input.tsx';
import { useSubmit } from '../auth/use-submit.ts';
import { SubmitActions } from './submit-actions.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import '../auth/auth.css';
import { t } from '../../language/t.ts';

interface Props {
  app: NewAuthenticator;
  onAdded: (added: FactorAdded) => void;
  onClose: () => void;
}

/** Sets up an authenticator app: a QR code, the same secret as text, and a code to confirm it. */
export function AuthenticatorDialog({ app: { ticket, secret, address }, onAdded, onClose }: Props) {
  const [code, setCode] = useState('');
  const { busy, failure, errors, submit } = useSubmit(async () => onAdded(await takeAuthenticator(ticket, code)));
  // its answer may hold the only view of the recovery codes
  useUnsaved(busy);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  const error = errors['code']?.[0];
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={onClose} aria-labelledby="app-title">
      <DialogTitle id="app-title">{t('Set up an authenticator app')}</DialogTitle>
      <form onSubmit={onSubmit} noValidate>
        <DialogContent className="sign-in" sx={{ pt: 0 }}>
          <DialogContentText>
            {t('Scan this with the app, or open it there if you are on your phone.')}
          </DialogContentText>
          <QrCode text={address} label={t('QR code for the authenticator app')} />
          <Typed>
            <a href={address}>{t('Open in an app on this device')}</a>
            <span>{t('or type this secret:')}</span>
            <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
          </Typed>
          {failure !== '' && error === undefined && <p className="form-failure">{failure}</p>}
          <CodeInput
            label={t('Code the app shows now')}
            digits={CODE_DIGITS}
            value={code}
            error={error}
            onChange={setCode}
          />
        </DialogContent>
        <SubmitActions label={t('Turn on')} busyLabel={t('Checking…')} busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

const Typed = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'grid',
  justifyItems: 'center',
  gap: theme.spacing(0.5),
  margin: 0,
  color: colour.quietText,
  textAlign: 'center',
  '& > a': { display: 'inline-block', padding: theme.spacing(1.5, 0), color: colour.brand, fontWeight: 600 },
  '& > code': {
    padding: theme.spacing(0.75, 1.5),
    borderRadius: 8,
    backgroundColor: tint(colour.text, 6),
    color: colour.text,
    overflowWrap: 'anywhere',
    userSelect: 'all',
  },
}));
