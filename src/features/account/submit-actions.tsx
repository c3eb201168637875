import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import { t } from '../../language/t.ts';

interface Props {
  /** What the form does, and what stands there while it does so. */
  readonly label: string;
  readonly busyLabel?: string;
  readonly busy?: boolean;
  readonly onCancel: () => void;
}

/** The foot of a dialog that is a form: Cancel, and the button that sends it. It keeps the focus while it is busy. */
export function SubmitActions({ label, busyLabel = label, busy = false, onCancel }: Props) {
  return (
    <DialogActions>
      <Button color="inherit" onClick={onCancel}>
        {t('Cancel')}
      </Button>
      <Button type="submit" variant="contained" aria-disabled={busy}>
        {busy ? busyLabel : label}
      </Button>
    </DialogActions>
  );
}
