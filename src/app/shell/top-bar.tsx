import MenuIcon from '@mui/icons-material/Menu';
import { styled } from '@mui/material/styles';
import { useSession } from '../../stores/session.ts';
import { useSettings } from '../../stores/settings.ts';
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx';
import { colour, TOP_BAR } from '../../ui/tokens.ts';
import { useMedia } from '../../ui/use-media.ts';
import { useLogOut } from '../log-out/use-log-out.ts';
import { AccountMenu } from './account-menu.tsx';
import { StatusChip } from './status-chip.tsx';
import { t } from '../../language/t.ts';

/** The width at which the account's links fit in the bar. Below it, they are in the menu. */
const ROOMY = '(min-width: 900px)';

interface Props {
  /** Opens the navigation. Undefined if the navigation is visible. */
  onNavigation?: (() => void) | undefined;
}

/** The top bar: company, connection and account. */
export function TopBar({ onNavigation }: Props) {
  const { companyLabel } = useSettings();
  const name = useSession(({ user }) => user?.name ?? '');
  const roomy = useMedia(ROOMY);
  const logOut = useLogOut();
  return (
    <Bar>
      {onNavigation && (
        <IconButton type="button" aria-label={t('Navigation')} aria-haspopup="dialog" onClick={onNavigation}>
          <MenuIcon />
        </IconButton>
      )}
      <Company>
        <span>{companyLabel}</span>
      </Company>
      <StatusChip />
      <AccountMenu name={name} compact={!roomy} onLogOut={logOut} />
      {roomy && (
        <>
          <ButtonLink to="/pass-change" color="inherit">
            {t('Change Password')}
          </ButtonLink>
          <Button variant="outlined" color="inherit" onClick={logOut}>
            {t('Logout')}
          </Button>
        </>
      )}
    </Bar>
  );
}

const Bar = styled('header')(({ theme }) => ({
  position: 'sticky',
  zIndex: 1000,
  top: 0,
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(1),
  minHeight: TOP_BAR,
  boxSizing: 'border-box',
  padding: theme.spacing(0.5, 2),
  borderBottom: `1px solid ${colour.line}`,
  backgroundColor: colour.surface,
  [theme.breakpoints.up('sm')]: { padding: theme.spacing(1, 3) },
  '@media print': { display: 'none' },
}));

const Company = styled('div')({
  flex: 1,
  minWidth: 0,
  containerType: 'inline-size',
  fontSize: '1rem',
  fontWeight: 600,
  letterSpacing: '-0.01em',
  '& span': { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  // On a phone the status leaves little width, but there is height for two lines.
  '@media (max-width: 599.95px)': {
    '& span': {
      display: '-webkit-box',
      WebkitBoxOrient: 'vertical',
      WebkitLineClamp: 2,
      whiteSpace: 'normal',
      fontSize: '0.9375rem',
      lineHeight: 1.2,
    },
  },
  // Hidden next to a long status, because a few letters of a name are useless.
  '@container (max-width: 76px)': { '& span': { visibility: 'hidden' } },
});
