import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { useSession } from '../../stores/session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** The sign-in over a screen that stays as it is, with everything that was typed and picked. */
export default function SignInDialog({ onClose }: { onClose: () => void }) {
  const email = useSession(({ user }) => user?.email ?? '');
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={onClose} aria-labelledby="sign-in-title">
      <DialogTitle id="sign-in-title">Sign in to continue</DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2.5 }}>
          Your session has ended. Nothing on this page is lost, and what you saved is safe on this device.
        </DialogContentText>
        <SignInForm initialEmail={email} onSignedIn={onClose} />
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          Later
        </Button>
      </DialogActions>
    </Dialog>
  );
}
