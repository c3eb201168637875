import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type FormEvent, useState } from 'react';
import { Labelled } from '../auth/labelled.tsx';
import { SubmitActions } from './submit-actions.tsx';
import '../../fields/fields.css';
import { t } from '../../language/t.ts';

interface Props {
  name: string;
  onRename: (name: string) => void;
  onClose: () => void;
}

/** Asks for the new name of a passkey. */
export function RenameDialog({ name, onRename, onClose }: Props) {
  const [next, setNext] = useState(name);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (next.trim() !== '') onRename(next.trim());
  };
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={onClose} aria-labelledby="rename-title">
      <DialogTitle id="rename-title">{t('Rename the passkey')}</DialogTitle>
      <form onSubmit={onSubmit} noValidate>
        <DialogContent sx={{ pt: 0 }}>
          <Labelled id="passkey-name" label={t('Name')}>
            <input
              id="passkey-name"
              className="control"
              autoComplete="off"
              maxLength={100}
              value={next}
              onChange={(event) => setNext(event.target.value)}
            />
          </Labelled>
        </DialogContent>
        <SubmitActions label={t('Rename')} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
