import BackupIcon from '@mui/icons-material/BackupOutlined';
import DevicesIcon from '@mui/icons-material/DevicesOutlined';
import TrashIcon from '@mui/icons-material/DeleteOutlined';
import HelpIcon from '@mui/icons-material/HelpOutlineOutlined';
import LogOutIcon from '@mui/icons-material/LogoutOutlined';
import PasswordIcon from '@mui/icons-material/PasswordOutlined';
import PeopleIcon from '@mui/icons-material/PeopleAltOutlined';
import PublicIcon from '@mui/icons-material/PublicOutlined';
import PreferencesIcon from '@mui/icons-material/SettingsOutlined';
import SecurityIcon from '@mui/icons-material/ShieldOutlined';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { TRASH_ROUTE } from '../../domain/protocol/trash.ts';
import { openPanel } from '../../stores/panels.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useMay } from '../../stores/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { colour } from '../../ui/tokens.ts';
import { SchemeChoice } from './scheme-choice.tsx';
import { t } from '../../language/t.ts';

interface Props {
  name: string;
  /** The top bar has no space for the account's links, so they appear here. */
  compact: boolean;
  onLogOut: () => void;
  onClose: () => void;
}

/** Links and settings of this account and this device. */
export default function AccountLinks({ name, compact, onLogOut, onClose }: Props) {
  const own = useServerAbilities(({ people }) => people);
  const secured = useServerAbilities(({ secondFactor }) => secondFactor);
  const keepsDeleted = useServerAbilities(({ trash }) => trash !== undefined);
  const manages = useMay('owner') && own;
  const help = () => {
    onClose();
    openPanel('help');
  };
  return (
    <>
      {compact && <Who>{name}</Who>}
      <SchemeChoice />
      <Links aria-label={t('Account')}>
        <Entry to="/preferences" icon={<PreferencesIcon />} onClick={onClose}>
          {t('Preferences')}
        </Entry>
        {own && (
          <Entry to="/sessions" icon={<DevicesIcon />} onClick={onClose}>
            {t('Devices & sessions')}
          </Entry>
        )}
        {secured && (
          <Entry to="/security" icon={<SecurityIcon />} onClick={onClose}>
            {t('Security')}
          </Entry>
        )}
        {manages && (
          <Entry to="/people" icon={<PeopleIcon />} onClick={onClose}>
            {t('People')}
          </Entry>
        )}
        {manages && (
          <Entry to="/public-site" icon={<PublicIcon />} onClick={onClose}>
            {t('Public site')}
          </Entry>
        )}
        {manages && (
          <Entry to="/backups" icon={<BackupIcon />} onClick={onClose}>
            {t('Backups')}
          </Entry>
        )}
        {keepsDeleted && (
          <Entry to={TRASH_ROUTE} icon={<TrashIcon />} onClick={onClose}>
            {t('Trash')}
          </Entry>
        )}
        {compact && (
          <Entry to="/pass-change" icon={<PasswordIcon />} onClick={onClose}>
            {t('Change Password')}
          </Entry>
        )}
        <Button color="inherit" startIcon={<HelpIcon />} onClick={help}>
          {t('Help')}
        </Button>
        {compact && (
          <Button color="inherit" startIcon={<LogOutIcon />} onClick={onLogOut}>
            {t('Logout')}
          </Button>
        )}
      </Links>
    </>
  );
}

interface EntryProps {
  readonly to: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Entry({ icon, ...link }: EntryProps) {
  return <ButtonLink color="inherit" startIcon={icon} {...link} />;
}

const Who = styled('strong')({ display: 'block', padding: '2px 4px 10px' });

const Links = styled('nav')({
  display: 'grid',
  marginTop: 12,
  paddingTop: 8,
  borderTop: `1px solid ${colour.line}`,
  // doubled for specificity: the links' own style may load after this one
  '&& > *': { justifyContent: 'flex-start', gap: 12, minHeight: 44, paddingInline: 8, fontWeight: 500 },
  '& svg': { margin: 0, color: colour.quietText },
});
