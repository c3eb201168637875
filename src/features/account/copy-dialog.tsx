import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { notify } from '../../stores/notifications.ts';
import { t } from '../../language/t.ts';

interface Props {
  title: string;
  /** What the text is for, and how long it is shown. */
  why: string;
  /** The name of the text. */
  label: string;
  text: string;
  copyLabel: string;
  copiedMessage: string;
  onClose: () => void;
}

/** Shows a text that is shown only once, to copy. */
export function CopyDialog({ title, why, label, text, copyLabel, copiedMessage, onClose }: Props) {
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => notify(copiedMessage, { kind: 'done' }),
      () => notify(t('This browser blocks copying. Select the text and copy it yourself.'), { kind: 'error' }),
    );
  };
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby="copy-title">
      <DialogTitle id="copy-title">{title}</DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2 }}>{why}</DialogContentText>
        <input
          className="control"
          readOnly
          aria-label={label}
          value={text}
          onFocus={(event) => event.target.select()}
        />
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {t('Close')}
        </Button>
        <Button variant="contained" onClick={copy}>
          {copyLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
