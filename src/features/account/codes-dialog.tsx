import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { styled } from '@mui/material/styles';
import { notify } from '../../stores/notifications.ts';
import { useSettings } from '../../stores/settings.ts';
import { colour, tint } from '../../ui/tokens.ts';
import { t } from '../../language/t.ts';

interface Props {
  codes: readonly string[];
  /** Called once the codes are saved. */
  onClose: () => void;
}

/** Shows recovery codes once. Only its button closes it, so that a click outside does not lose them. */
export function CodesDialog({ codes, onClose }: Props) {
  const { brandLabel } = useSettings();
  const text = t(
    'Recovery codes for {brandLabel} ({host})\nEach code works once, in place of your second factor.\n\n{names}\n',
    { brandLabel, host: location.host, names: codes.join('\n') },
  );
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => notify(t('Codes copied'), { kind: 'done' }),
      () => notify(t('This browser blocks copying. Save them instead.'), { kind: 'error' }),
    );
  };
  return (
    <Dialog open fullWidth maxWidth="xs" aria-labelledby="codes-title">
      <DialogTitle id="codes-title">{t('Keep your recovery codes')}</DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2 }}>
          {t(
            'If you lose your phone or security key, each of these codes lets you in once. Print them or store them in your password manager: they won’t be shown again.',
          )}
        </DialogContentText>
        <Codes aria-label={t('Recovery codes')}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </Codes>
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', rowGap: 1 }}>
        <Button color="inherit" onClick={copy}>
          {t('Copy')}
        </Button>
        <Button color="inherit" onClick={() => save(text)}>
          {t('Save as file')}
        </Button>
        <Button variant="contained" onClick={onClose}>
          {t('I’ve saved them')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function save(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'recovery-codes.txt';
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_BY);
}

/** A download has started by then. Milliseconds. */
const SAVED_BY = 10_000;

const Codes = styled('ol')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(130px, 1fr))',
  gap: theme.spacing(1),
  margin: 0,
  padding: theme.spacing(2),
  borderRadius: 12,
  backgroundColor: tint(colour.text, 5),
  listStyle: 'none',
  fontSize: '1.0625rem',
  textAlign: 'center',
  userSelect: 'all',
}));
