import ExpandMoreIcon from '@mui/icons-material/ExpandMore';
import HistoryIcon from '@mui/icons-material/HistoryOutlined';
import RestoreIcon from '@mui/icons-material/SettingsBackupRestore';
import Button from '@mui/material/Button';
import { type ReactNode, useState } from 'react';
import {
  actionWords,
  type HistoryEntry,
  type HistoryOwner,
  type KeptFile,
  shownChanges,
  valuesAfter,
} from '../../domain/history.ts';
import { fieldOf } from '../../domain/resource.ts';
import { valueWords } from '../../fields/value-words.ts';
import { sameText } from '../../domain/outbox/conflict.ts';
import type { Values } from '../../domain/validate.ts';
import { notify } from '../../stores/notifications.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { formatMoment } from '../../ui/format.ts';
import { useHistory } from './use-history.ts';
import './record-history.css';
import { locale, say, t } from '../../language/t.ts';

interface Props {
  readonly owner: HistoryOwner;
  /** The server's id. */
  readonly id: number;
  readonly version: string;
  /** The current values of the record. */
  readonly values: Values;
  /** Puts the values and kept files of an earlier version into the form, to be checked and saved. Absent for viewers. */
  readonly onBringBack?: ((values: Values, files: readonly KeptFile[]) => void) | undefined;
}

/** Who changed a record or site meta and when, with the old values. Loaded when it is opened. */
export function RecordHistory(props: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <details className="record-history" onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        <HistoryIcon fontSize="small" aria-hidden />
        {t('History')}
        <ExpandMoreIcon className="record-history-mark" aria-hidden />
      </summary>
      {opened && <Entries {...props} />}
    </details>
  );
}

function Entries({ owner, id, version, values, onBringBack }: Props) {
  const { entries, failure, loading, retry, loadEarlier } = useHistory(owner, id, version);
  if (failure !== undefined) {
    return (
      <FailureNotice message={failure} onRetry={retry} retrying={loading}>
        {t('History needs a connection.')}
      </FailureNotice>
    );
  }
  if (entries === undefined) return <output>{t('Loading history…')}</output>;
  if (entries.length === 0) return <p>{t('No history yet')}</p>;
  return (
    <>
      <ol>
        {entries.map((entry) => (
          <Entry key={entry.id} owner={owner} entry={entry}>
            {onBringBack !== undefined && (
              <BringBack then={valuesAfter(owner, entries, entry, values)} {...{ entry, values, onBringBack }} />
            )}
          </Entry>
        ))}
      </ol>
      {loadEarlier && (
        <Button color="inherit" variant="outlined" size="small" onClick={loadEarlier}>
          {t('Show earlier')}
        </Button>
      )}
    </>
  );
}

function Entry({ owner, entry, children }: { owner: HistoryOwner; entry: HistoryEntry; children: ReactNode }) {
  const words = (field: string, text: string | null) =>
    text === null ? t('empty') : valueWords(fieldOf(owner, field), text);
  return (
    <li>
      <strong>{say(actionWords(entry))}</strong>{' '}
      {entry.sentAgainFrom !== undefined && t('sent again from {device}', { device: entry.sentAgainFrom })}{' '}
      <time dateTime={entry.at} title={new Date(entry.at).toLocaleString(locale())}>
        {momentOf(entry)}
      </time>
      {shownChanges(owner, entry).map(({ field, label, before, after }) => (
        <dl key={field}>
          <dt>{say(label)}</dt>
          <dd>
            <del>{words(field, before)}</del> <span aria-hidden>→</span> <ins>{words(field, after)}</ins>
          </dd>
        </dl>
      ))}
      {children}
    </li>
  );
}

interface BringBackProps extends Required<Pick<Props, 'values'>> {
  readonly entry: HistoryEntry;
  /** The values after that entry. */
  readonly then: Values;
  readonly onBringBack: (values: Values, files: readonly KeptFile[]) => void;
}

/** Renders nothing if the record already has those values and files. */
function BringBack({ entry, then, values, onBringBack }: BringBackProps) {
  const { files = [] } = entry;
  const hasTexts = Object.keys(then).every((name) => sameText(then[name], values[name]));
  if (hasTexts && files.length === 0) return null;
  const bringBack = () => {
    onBringBack(then, files);
    notify(t('The values from {time} are in the form, not saved yet.', { time: momentOf(entry) }), {
      kind: 'info',
    });
  };
  return (
    <Button color="inherit" variant="outlined" size="small" startIcon={<RestoreIcon />} onClick={bringBack}>
      {t('Restore this version')}
    </Button>
  );
}

function momentOf(entry: HistoryEntry): string {
  return formatMoment(Date.parse(entry.at), Date.now());
}
