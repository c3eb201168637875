import { styled } from '@mui/material/styles';
import { openPanel } from '../../stores/panels.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useMay } from '../../stores/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { SchemeChoice } from './scheme-choice.tsx';

interface Props {
  name: string;
  /** The bar has no room for the account's links: they stand here. */
  compact: boolean;
  onLogOut: () => void;
  onClose: () => void;
}

/** What belongs to this account and this device. */
export default function AccountLinks({ name, compact, onLogOut, onClose }: Props) {
  const own = useServerAbilities(({ people }) => people);
  const secured = useServerAbilities(({ secondFactor }) => secondFactor);
  const manages = useMay('owner') && own;
  const help = () => {
    onClose();
    openPanel('help');
  };
  return (
    <>
      {compact && (
        <Links>
          <strong>{name}</strong>
          <ButtonLink to="/pass-change" variant="outlined" color="inherit" onClick={onClose}>
            Change Password
          </ButtonLink>
          <Button variant="outlined" color="inherit" onClick={onLogOut}>
            Logout
          </Button>
        </Links>
      )}
      <SchemeChoice />
      {own && (
        <More to="/sessions" color="inherit" onClick={onClose}>
          Devices & sessions
        </More>
      )}
      {secured && (
        <More to="/security" color="inherit" onClick={onClose}>
          Security
        </More>
      )}
      {manages && (
        <More to="/people" color="inherit" onClick={onClose}>
          People
        </More>
      )}
      <Help variant="text" color="inherit" onClick={help}>
        Help
      </Help>
    </>
  );
}

const Links = styled('div')({ display: 'grid', gap: 8, marginBottom: 12, '& > strong': { padding: '2px 4px 4px' } });

const More = styled(ButtonLink)({ width: '100%', marginTop: 8 });

const Help = styled(Button)({ width: '100%', marginTop: 8 });
