import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import type { AskedQuestion } from './confirm.tsx';

/** The dialog of one question. Escape and a click outside mean no; where yes takes something away, Enter means no as well. */
export default function ConfirmDialog({ question }: { question: AskedQuestion }) {
  const { title, text, confirmLabel, cancelLabel = 'Cancel', destructive = false, answer } = question;
  return (
    <Dialog
      open
      role="alertdialog"
      onClose={() => answer(false)}
      aria-labelledby="question"
      {...(text !== undefined && { 'aria-describedby': 'question-text' })}
    >
      <DialogTitle id="question">{title}</DialogTitle>
      {text !== undefined && (
        <DialogContent>
          <DialogContentText id="question-text">{text}</DialogContentText>
        </DialogContent>
      )}
      <DialogActions>
        <Button ref={destructive ? focusAtOnce : null} color="inherit" onClick={() => answer(false)}>
          {cancelLabel}
        </Button>
        <Button
          ref={destructive ? null : focusAtOnce}
          variant="contained"
          color={destructive ? 'error' : 'primary'}
          onClick={() => answer(true)}
        >
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function focusAtOnce(button: HTMLButtonElement | null): void {
  button?.focus();
}
