import { useSession } from '../../stores/session.ts';
import { Button } from '../../ui/button.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { OwedFactor } from './owed-factor.tsx';
import { PasswordForm } from './password-form.tsx';
import { msg, say, t } from '../../language/t.ts';

/** Replaces every screen until the user has done what the server requires. Queued changes keep waiting. */
export default function OwedScreen({ onLogOut }: { onLogOut: () => void }) {
  const owesFactor = useSession(({ user }) => user?.owes === 'second-factor');
  const { title, lead } = owesFactor ? FACTOR : PASSWORD;
  return (
    <AuthFrame title={say(title)} lead={say(lead)}>
      {owesFactor ? <OwedFactor /> : <PasswordForm />}
      <Button color="inherit" style={{ width: '100%', marginTop: 12 }} onClick={onLogOut}>
        {t('Logout')}
      </Button>
    </AuthFrame>
  );
}

const PASSWORD = {
  title: msg('Choose your own password'),
  lead: msg(
    'The one you signed in with was generated for you. Changes waiting on this device will be sent afterwards.',
  ),
};

const FACTOR = {
  title: msg('Set up a second factor'),
  lead: msg(
    'It’s required here, so that a stolen password isn’t enough to sign in. Changes waiting on this device will be sent afterwards.',
  ),
};
