import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { type FormEvent, useState } from 'react';
import { useOpen } from '../../ui/use-open.ts';
import { SubmitActions } from '../account/submit-actions.tsx';
import { errorId, Labelled } from '../auth/labelled.tsx';
import { useSubmit } from '../auth/use-submit.ts';
import '../auth/auth.css';

interface Props {
  title: string;
  /** What the text is for. */
  why: string;
  /** The name of the text in the request, and so of its errors. */
  name: 'name' | 'url';
  label: string;
  placeholder: string;
  submitLabel: string;
  /** Rejects with an ApiFailure. */
  onSubmit: (text: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for one text and shows the server's answer beside it. Closes after a success. */
export function TextDialog({ title, why, name, label, placeholder, submitLabel, onSubmit, onClose }: Props) {
  const [text, setText] = useState('');
  const { isOpen } = useOpen();
  const { busy, failure, errors, submit } = useSubmit(async () => {
    await onSubmit(text);
    if (isOpen()) onClose();
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  const id = `public-site-${name}`;
  const error = errors[name]?.[0];
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={onClose} aria-labelledby={`${id}-title`}>
      <DialogTitle id={`${id}-title`}>{title}</DialogTitle>
      <form onSubmit={send} noValidate>
        <DialogContent className="sign-in" sx={{ pt: 0 }}>
          <DialogContentText>{why}</DialogContentText>
          {failure !== '' && error === undefined && <p className="form-failure">{failure}</p>}
          <Labelled id={id} label={label} error={error}>
            <input
              id={id}
              name={name}
              className="control"
              type={name === 'url' ? 'url' : 'text'}
              autoComplete="off"
              placeholder={placeholder}
              aria-invalid={error !== undefined}
              aria-describedby={error === undefined ? undefined : errorId(id)}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </Labelled>
        </DialogContent>
        <SubmitActions label={submitLabel} busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
