import InstallIcon from '@mui/icons-material/InstallMobileOutlined';
import Button from '@mui/material/Button';
import { install, putOffInstalling, useInstallWay } from '../../stores/install.ts';
import { HintCard } from './hint-card.tsx';
import { t } from '../../language/t.ts';

/** Offers to install the app. It is on the dashboard, where it interrupts nobody's work. */
export function InstallHint() {
  const way = useInstallWay();
  if (way === 'none') return null;
  return (
    <HintCard>
      <InstallIcon aria-hidden="true" />
      <div>
        <strong>{t('Keep Voltdesk on this device')}</strong>
        <p>
          {way === 'ask'
            ? t('Once installed, it opens from the home screen, fills the screen and keeps what you save.')
            : t(
                'In a Safari tab, what you save is deleted after seven days without a visit. An installed app keeps it: tap the Share button, then “Add to Home Screen”.',
              )}
        </p>
      </div>
      {way === 'ask' && (
        <Button variant="contained" onClick={() => void install()}>
          {t('Install')}
        </Button>
      )}
      <Button color="inherit" onClick={putOffInstalling}>
        {t('Not now')}
      </Button>
    </HintCard>
  );
}
