import InstallIcon from '@mui/icons-material/InstallMobileOutlined';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { install, putOffInstalling, useInstallWay } from '../../stores/install.ts';
import { colour, tint } from '../../ui/tokens.ts';

/** Offers the app for the home screen, on the page that nobody is in the middle of work on. */
export function InstallHint() {
  const way = useInstallWay();
  if (way === 'none') return null;
  return (
    <Card>
      <InstallIcon aria-hidden="true" />
      <div>
        <strong>Keep Voltdesk on this device</strong>
        <p>
          {way === 'ask'
            ? 'Installed, it opens from the home screen, fills the screen and keeps what you save.'
            : 'Tap the Share button, then “Add to Home Screen”. Installed, the device keeps what you save for longer.'}
        </p>
      </div>
      {way === 'ask' && (
        <Button variant="contained" onClick={() => void install()}>
          Install
        </Button>
      )}
      <Button color="inherit" onClick={putOffInstalling}>
        Not now
      </Button>
    </Card>
  );
}

const Card = styled('aside')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1, 2),
  marginTop: theme.spacing(2),
  padding: theme.spacing(2, 2.5),
  border: `1px solid ${tint(colour.accent, 35, colour.line)}`,
  borderRadius: 16,
  backgroundColor: tint(colour.accent, 6, colour.surface),
  '& > svg': { fontSize: 30, color: colour.accent },
  '& > div': { flex: '1 1 240px' },
  '& p': { margin: 0, color: colour.quietText, fontSize: '0.875rem' },
}));
