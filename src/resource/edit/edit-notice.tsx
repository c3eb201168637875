import { statusOf } from '../../domain/outbox/status.ts';
import Button from '@mui/material/Button';
import { useState } from 'react';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import { conflictPath } from '../paths.ts';
import type { Refused } from './use-refused.ts';
import { Link } from '../../ui/link.tsx';

interface EditNoticeProps {
  readonly view: RecordView;
  readonly refused: Refused | null;
}

/** What to know before editing: a refused change, a conflict, or a record that is about to go. */
export function EditNotice({ view, refused }: EditNoticeProps) {
  const conflict = view.entries.find((entry) => statusOf(entry) === 'conflict');
  const leaving = view.entries.some((entry) => entry.change.op === 'delete');
  return (
    <>
      {refused !== null && (
        <output className="form-bar">
          <span>
            <strong>The server refused this change.</strong> {refused.message}
            {refused.lost.length > 0 && ` Lost on this device, please attach again: ${refused.lost.join(', ')}.`}
          </span>
        </output>
      )}
      {conflict !== undefined && (
        <output className="form-bar">
          <span>Your last change and somebody else’s touch the same fields.</span>
          <Button component={Link} to={conflictPath(conflict.id)} color="inherit" variant="outlined">
            Compare
          </Button>
        </output>
      )}
      {leaving && (
        <output className="form-bar">
          <span>Will be deleted when sent</span>
        </output>
      )}
    </>
  );
}

/** Tells that the record changed on the server while something is typed here. */
export function StaleNotice({ onTakeOver }: { onTakeOver: () => void }) {
  const [seen, setSeen] = useState(false);
  if (seen) return null;
  return (
    <output className="form-bar save-notice">
      <span>This record changed on the server since you began. What changed stands under its field.</span>
      <Button color="inherit" onClick={() => setSeen(true)}>
        Keep editing
      </Button>
      <Button color="inherit" variant="outlined" onClick={onTakeOver}>
        Show the new version
      </Button>
    </output>
  );
}
