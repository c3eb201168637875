import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type FormEvent, useState } from 'react';
import { invite } from '../../api/people.ts';
import type { MadeLink } from '../../domain/protocol/people.ts';
import { type Role, ROLE_WORDS, ROLES } from '../../domain/roles.ts';
import { useOpen } from '../../ui/use-open.ts';
import { errorId, Labelled } from '../auth/labelled.tsx';
import { useFreshSignIn } from '../auth/use-fresh-sign-in.tsx';
import { useSubmit } from '../auth/use-submit.ts';
import { SubmitActions } from './submit-actions.tsx';
import '../auth/auth.css';
import { say, t } from '../../language/t.ts';

interface Props {
  onInvited: (link: MadeLink, name: string) => void;
  onClose: () => void;
}

const EMPTY = { name: '', email: '', role: 'editor' as Role };

/** Asks for the person to invite and their role. */
export function InviteDialog({ onInvited, onClose }: Props) {
  const [person, setPerson] = useState(EMPTY);
  const { isOpen } = useOpen();
  const { freshly, dialog } = useFreshSignIn();
  const { busy, failure, errors, submit } = useSubmit(async () => {
    const link = await freshly(() => invite(person));
    // The dialog may have been closed since, and another one opened.
    if (isOpen()) onClose();
    onInvited(link, person.name.trim() || person.email);
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  const unexplained = failure !== '' && Object.keys(errors).length === 0;
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={onClose} aria-labelledby="invite-title">
      {dialog}
      <DialogTitle id="invite-title">{t('Invite someone')}</DialogTitle>
      <form onSubmit={onSubmit} noValidate>
        <DialogContent className="sign-in" sx={{ pt: 0 }}>
          {unexplained && <p className="form-failure">{failure}</p>}
          <TextInput
            label={t('Email')}
            name="email"
            type="email"
            value={person.email}
            error={errors['email']?.[0]}
            onChange={(email) => setPerson({ ...person, email })}
          />
          <TextInput
            label={t('Name')}
            name="name"
            value={person.name}
            error={errors['name']?.[0]}
            onChange={(name) => setPerson({ ...person, name })}
          />
          <Labelled id="invite-role" label={t('Role')} error={errors['role']?.[0]}>
            <select
              id="invite-role"
              name="role"
              className="control"
              aria-invalid={errors['role'] !== undefined}
              aria-describedby={errors['role'] ? errorId('invite-role') : 'invite-role-may'}
              value={person.role}
              onChange={(event) => setPerson({ ...person, role: event.target.value as Role })}
            >
              {ROLES.toReversed().map((role) => (
                <option key={role} value={role}>
                  {say(ROLE_WORDS[role].label)}
                </option>
              ))}
            </select>
            <p id="invite-role-may" className="role-may">
              {say(ROLE_WORDS[person.role].may)}.
            </p>
          </Labelled>
        </DialogContent>
        <SubmitActions label={t('Invite')} busyLabel={t('Inviting…')} busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

interface TextProps {
  label: string;
  name: string;
  type?: 'email';
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function TextInput({ label, name, type, value, error, onChange }: TextProps) {
  const id = `invite-${name}`;
  return (
    <Labelled id={id} label={label} error={error}>
      <input
        id={id}
        name={name}
        className="control"
        type={type ?? 'text'}
        autoComplete="off"
        aria-invalid={error !== undefined}
        aria-describedby={error && errorId(id)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Labelled>
  );
}
