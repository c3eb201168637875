import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { useSession } from '../../stores/session.ts';
import { SignInForm } from './sign-in-form.tsx';
import { msg, say, t } from '../../language/t.ts';

interface Props {
  onClose: () => void;
  /** Defaults to `onClose`. */
  onSignedIn?: () => void;
  /** Why a sign-in is needed. */
  why?: string;
}

const ENDED = msg('Your session has ended. Nothing on this page is lost, and what you saved is safe on this device.');

/** The sign-in as a dialog. The screen below keeps everything that was typed and picked. */
export default function SignInDialog({ onClose, onSignedIn = onClose, why = ENDED }: Props) {
  const email = useSession(({ user }) => user?.email ?? '');
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={onClose} aria-labelledby="sign-in-title">
      <DialogTitle id="sign-in-title">{t('Sign in to continue')}</DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2.5 }}>{say(why)}</DialogContentText>
        <SignInForm initialEmail={email} onSignedIn={onSignedIn} />
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {t('Later')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
