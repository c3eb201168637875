import { styled } from '@mui/material/styles';
import { useStorageHealth } from '../../stores/storage-health.ts';
import { colour, tint } from '../../ui/tokens.ts';
import { t } from '../../language/t.ts';

/** Explains what to do while device storage does not respond. Lists then load forever, and Save seems to do nothing. */
export function StorageNotice() {
  const { stalled } = useStorageHealth();
  return (
    <div role="alert">
      {stalled && (
        <Strip>
          <strong>{t('This device’s storage isn’t responding.')}</strong>{' '}
          {t(
            'Close the other Voltdesk tabs. If that doesn’t help, reload this page. Everything saved on this device is still there.',
          )}
        </Strip>
      )}
    </div>
  );
}

const Strip = styled('p')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(1.25, 3),
  borderBottom: `1px solid ${tint(colour.caution, 35)}`,
  backgroundColor: tint(colour.caution, 12, colour.surface),
}));
