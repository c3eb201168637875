import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import type { AskedQuestion, Choice } from './confirm.tsx';

/** The dialog of a question. Escape and a click outside choose nothing. Enter never triggers a destructive choice. */
export default function ConfirmDialog({ question }: { question: AskedQuestion }) {
  const { title, text, subject, choices, answer } = question;
  const first = choices.find(({ look }) => look === 'primary') ?? choices.find(({ look }) => look !== 'destructive');
  return (
    <Dialog
      open
      role="alertdialog"
      onClose={() => answer(undefined)}
      aria-labelledby="question"
      {...((text ?? subject) !== undefined && { 'aria-describedby': 'question-text' })}
    >
      <DialogTitle id="question">{title}</DialogTitle>
      {(text ?? subject) !== undefined && (
        <DialogContent id="question-text">
          {subject}
          {text !== undefined && <DialogContentText>{text}</DialogContentText>}
        </DialogContent>
      )}
      <DialogActions>
        {choices.map((choice) => (
          <Button
            key={choice.key}
            ref={choice === first ? focusAtOnce : null}
            {...LOOKS[choice.look ?? 'plain']}
            onClick={() => answer(choice.key)}
          >
            {choice.label}
          </Button>
        ))}
      </DialogActions>
    </Dialog>
  );
}

const LOOKS = {
  primary: { variant: 'contained', color: 'primary' },
  destructive: { variant: 'contained', color: 'error' },
  plain: { variant: 'text', color: 'inherit' },
} as const satisfies Record<NonNullable<Choice['look']>, object>;

function focusAtOnce(button: HTMLButtonElement | null): void {
  button?.focus();
}
