import { Button } from '../../ui/button.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { PasswordForm } from './password-form.tsx';

/** What stands in place of every screen until a made-up password is changed. What waits on this device waits on. */
export default function OwedScreen({ onLogOut }: { onLogOut: () => void }) {
  return (
    <AuthFrame
      title="Choose your own password"
      lead="The one you signed in with was made up for you. What waits on this device will be sent afterwards."
    >
      <PasswordForm />
      <Button color="inherit" style={{ width: '100%', marginTop: 12 }} onClick={onLogOut}>
        Logout
      </Button>
    </AuthFrame>
  );
}
