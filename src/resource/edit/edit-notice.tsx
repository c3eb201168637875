import Button from '@mui/material/Button';
import { useState } from 'react';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import { isDeletion } from '../../domain/outbox/scheduler.ts';
import { statusOf } from '../../domain/outbox/status.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { AnyResource } from '../../domain/resource.ts';
import { conflictPath } from '../paths.ts';
import { type Authors, namesOfOthers } from './use-authors.ts';
import type { Refused } from './use-refused.ts';
import { Link } from '../../ui/link.tsx';
import { say, t } from '../../language/t.ts';

interface EditNoticeProps {
  readonly view: RecordView;
  readonly refused: Refused | null;
  /** Who last changed each field on the server, as far as that is known. */
  readonly authors: Authors;
}

/** Notices before editing: a refused change, a conflict, or a pending deletion. */
export function EditNotice({ view, refused, authors }: EditNoticeProps) {
  const conflict = conflictOf(view);
  const leaving = view.entries.some((entry) => entry.change.op === 'delete' && entry.state !== 'attention');
  return (
    <>
      {refused !== null && (
        <output className="form-bar" data-refused>
          <span>
            <strong>{t('The server refused this change.')}</strong> {say(refused.message)}
            {refused.lost.length > 0 &&
              ` ${t('Lost on this device. Please attach again: {names}.', { names: refused.lost.join(', ') })}`}
          </span>
        </output>
      )}
      {conflict !== undefined && (
        <output className="form-bar">
          <span>{conflictWords(conflict, authors)}</span>
          <Button component={Link} to={conflictPath(conflict.id)} color="inherit" variant="outlined">
            {t('Compare')}
          </Button>
        </output>
      )}
      {leaving && (
        <output className="form-bar">
          <span>{t('Will be deleted when sent')}</span>
        </output>
      )}
    </>
  );
}

/** The change of a record that is in conflict with the server. */
export function conflictOf({ entries }: RecordView): OutboxEntry | undefined {
  return entries.find((entry) => statusOf(entry) === 'conflict');
}

function conflictWords(entry: OutboxEntry, authors: Authors): string {
  const names = namesOfOthers(entry, authors);
  if (isDeletion(entry)) {
    return names === ''
      ? t('Someone has changed it since. Delete anyway?')
      : t('Changed since by {names}. Delete anyway?', { names });
  }
  if (entry.conflict?.own) return t('You edited the same fields twice.');
  return names === ''
    ? t('You and someone else edited the same fields.')
    : t('You and {names} edited the same fields.', { names });
}

/** Says that the record was deleted during the edit. What is in the form can still be saved, as a new record. */
export function GoneNotice({ resource }: { resource: AnyResource }) {
  return (
    <output className="form-bar save-notice">
      <span>
        {t('This {what} was deleted, perhaps by someone else. You can add it again with what is in this form.', {
          what: say(resource.label.one),
        })}
      </span>
    </output>
  );
}

/** Says that the record has changed on the server during the edit. */
export function StaleNotice({ onTakeOver }: { onTakeOver: () => void }) {
  const [seen, setSeen] = useState(false);
  if (seen) return null;
  return (
    <output className="form-bar save-notice">
      <span>
        {t('This record has changed on the server since you opened it. Each change is shown under its field.')}
      </span>
      <Button color="inherit" onClick={() => setSeen(true)}>
        {t('Keep editing')}
      </Button>
      <Button color="inherit" variant="outlined" onClick={onTakeOver}>
        {t('Show the new version')}
      </Button>
    </output>
  );
}
