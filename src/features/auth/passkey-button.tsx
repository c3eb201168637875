import Button from '@mui/material/Button';
import KeyIcon from '@mui/icons-material/KeyOutlined';
import { passkeysWork, signInWithPasskey } from '../../api/second-factor.ts';
import { useSubmit } from './use-submit.ts';
import { t } from '../../language/t.ts';

interface Props {
  remember: boolean;
  /** The ticket of the sign-in, when the passkey is its second step. */
  ticket?: string;
  onSignedIn: () => void;
}

/** Signs in with a passkey. Renders nothing in a browser without passkeys. */
export default function PasskeyButton({ remember, ticket, onSignedIn }: Props) {
  const { busy, submit } = useSubmit(async () => {
    await signInWithPasskey(remember, ticket);
    onSignedIn();
  });
  if (!passkeysWork()) return null;
  return (
    <Button
      variant={ticket === undefined ? 'outlined' : 'contained'}
      size="large"
      startIcon={<KeyIcon />}
      aria-disabled={busy}
      onClick={submit}
    >
      {busy ? t('Waiting for the passkey…') : t('Use a passkey')}
    </Button>
  );
}
