import { styled } from '@mui/material/styles';
import type { BackupWork } from '../../domain/protocol/backups.ts';
import { Surface } from '../../ui/surface.tsx';
import { colour } from '../../ui/tokens.ts';
import { msg, say } from '../../language/t.ts';

const STEPS = {
  start: msg('Starting…'),
  copy: msg('Copying the database…'),
  files: msg('Copying files…'),
  encrypt: msg('Encrypting…'),
  verify: msg('Reading it back…'),
  send: msg('Sending it to the bucket…'),
  fetch: msg('Fetching it from the bucket…'),
} as const;

const TITLES = { backup: msg('Backup in progress'), rehearsal: msg('Rehearsal in progress') } as const;

/** The step of a running backup or rehearsal, and how far it is. */
export function BackupProgress({ running }: { running: NonNullable<BackupWork['running']> }) {
  const { what, step, done, total } = running;
  const isCounted = done !== undefined && total !== undefined && total > 0;
  return (
    <Part aria-label={say(TITLES[what])}>
      <strong>{say(TITLES[what])}</strong>
      <progress aria-label={say(TITLES[what])} {...(isCounted ? { value: done, max: total } : {})} />
      <output>{say(STEPS[step])}</output>
    </Part>
  );
}

const Part = styled(Surface)(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1),
  marginTop: theme.spacing(2),
  '& progress': { width: '100%', height: 8, accentColor: colour.brand },
  '& output': { ...theme.typography.body2, color: colour.quietText },
}));
