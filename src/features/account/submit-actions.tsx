import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import { t } from '../../language/t.ts';

interface Props {
  /** The text of the submit button. `busyLabel` replaces it while the form is busy. */
  readonly label: string;
  readonly busyLabel?: string;
  readonly busy?: boolean;
  readonly onCancel: () => void;
}

/** The actions of a form in a dialog: Cancel and Submit. Submit keeps the focus while busy, so it is `aria-disabled`. */
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
