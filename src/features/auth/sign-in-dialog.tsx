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
  /** The user has logged out in another tab. The screen is covered and cannot be used without a sign-in. */
  left?: boolean;
}

const ENDED = msg('Your session has ended. Nothing on this page is lost, and what you saved is safe on this device.');

const LEFT = msg('You logged out in another tab. Sign in to continue with what you typed here.');
const COVER = { backdrop: { sx: { bgcolor: 'background.default' } } };

/** The sign-in as a dialog. The screen below keeps everything that was typed and picked. */
export default function SignInDialog({
  onClose,
  onSignedIn = onClose,
  left = false,
  why = left ? LEFT : ENDED,
}: Props) {
  const email = useSession(({ user }) => user?.email ?? '');
  return (
    <Dialog
      open
      fullWidth
      maxWidth="xs"
      // Escape must not give up what was typed.
      onClose={left ? undefined : onClose}
      slotProps={left ? COVER : {}}
      aria-labelledby="sign-in-title"
    >
      <DialogTitle id="sign-in-title">{t('Sign in to continue')}</DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2.5 }}>{say(why)}</DialogContentText>
        <SignInForm initialEmail={email} onSignedIn={onSignedIn} />
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {left ? t('Leave') : t('Later')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
