import ExpandMoreIcon from '@mui/icons-material/ExpandMore';
import HistoryIcon from '@mui/icons-material/History';
import { useState } from 'react';
import { actionWords, type HistoryEntry, type HistoryOwner, shownChanges } from '../../domain/history.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { formatMoment } from '../../ui/format.ts';
import { useHistory } from './use-history.ts';
import './record-history.css';

interface Props {
  readonly owner: HistoryOwner;
  /** The server's id. */
  readonly id: number;
  readonly version: string;
}

/** Who changed a record or the site-wide settings and when, with the values before. Asked for when it is opened. */
export function RecordHistory(props: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <details className="record-history" onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        <HistoryIcon fontSize="small" aria-hidden />
        History
        <ExpandMoreIcon className="record-history-mark" aria-hidden />
      </summary>
      {opened && <Entries {...props} />}
    </details>
  );
}

function Entries({ owner, id, version }: Props) {
  const { entries, failure, loading, retry } = useHistory(owner, id, version);
  if (failure !== undefined) {
    return (
      <FailureNotice message={failure} onRetry={retry} retrying={loading}>
        The history is kept on the server only.
      </FailureNotice>
    );
  }
  if (entries === undefined) return <output>Asking the server…</output>;
  if (entries.length === 0) return <p>Nothing is written down yet.</p>;
  return (
    <ol>
      {entries.map((entry) => (
        <Entry key={entry.id} owner={owner} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ owner, entry }: { owner: HistoryOwner; entry: HistoryEntry }) {
  return (
    <li>
      <strong>{actionWords(entry)}</strong>{' '}
      <time dateTime={entry.at} title={new Date(entry.at).toLocaleString('en-GB')}>
        {momentOf(entry)}
      </time>
      {shownChanges(owner, entry).map(({ field, label, before, after }) => (
        <dl key={field}>
          <dt>{label}</dt>
          <dd>
            <del>{before ?? 'empty'}</del> <span aria-hidden>→</span> <ins>{after ?? 'empty'}</ins>
          </dd>
        </dl>
      ))}
    </li>
  );
}

function momentOf(entry: HistoryEntry): string {
  return formatMoment(Date.parse(entry.at), Date.now());
}
