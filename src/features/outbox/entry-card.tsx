import { statusOf, waitsForAnother } from '../../domain/outbox/status.ts';
import AttentionIcon from '@mui/icons-material/ErrorOutlined';
import BusyIcon from '@mui/icons-material/CloudUploadOutlined';
import WaitingIcon from '@mui/icons-material/ScheduleOutlined';
import Button from '@mui/material/Button';
import { isForWifi, isHalted } from '../../domain/outbox/progress.ts';
import { refusalErrors } from '../../domain/outbox/refusal-errors.ts';
import { isDeletion, isUntried } from '../../domain/outbox/scheduler.ts';
import { missingFiles, type Travel } from '../../domain/outbox/uploads.ts';
import { UNSETTLED } from '../../domain/protocol/unsettled.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { formatAgo, formatMoment } from '../../ui/format.ts';
import { Candidates } from './candidates.tsx';
import { settlePath } from './entry-links.ts';
import { EntryPicture, EntryTitle } from './entry-title.tsx';
import { filesWords } from './changed-values.ts';
import { operationOf, type QueueFacts, type Tone, wordsOf } from './entry-words.ts';
import { FileProgress } from './file-progress.tsx';
import { Unsettled } from './unsettled.tsx';
import { useEntryActions } from './use-entry-actions.ts';
import { WhatChanged } from './what-changed.tsx';
import { Link } from '../../ui/link.tsx';
import { say, t } from '../../language/t.ts';

/** Separates two facts. A line breaks only after it. */
const DOT = '\u00a0· ';

const ICONS: Readonly<Record<Tone, typeof WaitingIcon>> = {
  waiting: WaitingIcon,
  busy: BusyIcon,
  attention: AttentionIcon,
};

/** One waiting change: what it is, its state and the reason, and the actions on it. */
export function EntryCard({ entry, facts }: { entry: OutboxEntry; facts: QueueFacts }) {
  const { tone, state, detail } = wordsOf(entry, facts);
  const Icon = ICONS[tone];
  const facets = [operationOf(entry), filesWords(entry.change), attemptsWords(entry)].filter(Boolean);
  return (
    <li className="entry" data-row={entry.id} data-tone={tone}>
      <div className="entry-lead">
        <Icon aria-hidden className="entry-icon" />
        <EntryPicture entry={entry} />
      </div>
      <div className="entry-body">
        <h3>
          <EntryTitle entry={entry} />
        </h3>
        <p className="entry-facets">
          {facets.join(DOT)}
          {DOT}
          <time dateTime={new Date(entry.createdAt).toISOString()} title={formatMoment(entry.createdAt, facts.now)}>
            {formatAgo(entry.createdAt, facts.now)}
          </time>
        </p>
        <p className="entry-state">
          <strong>{state}</strong>
          {detail !== '' && ` – ${detail}`}
        </p>
        <FileProgress entry={entry} travel={facts.travel} />
        <WhatChanged entry={entry} />
        <FieldErrorList entry={entry} />
        {entry.candidates !== undefined && <Candidates entry={entry} />}
        {entry.reason?.code === UNSETTLED && <Unsettled entry={entry} now={facts.now} />}
      </div>
      <EntryActions entry={entry} travel={facts.travel} />
    </li>
  );
}

function EntryActions({ entry, travel }: { entry: OutboxEntry; travel: Travel | undefined }) {
  const actions = useEntryActions();
  const settle = settlePath(entry);
  const status = statusOf(entry);
  const undoable = isDeletion(entry) && isUntried(entry);
  return (
    <div className="entry-actions">
      {settle !== undefined && (
        <Button
          component={Link}
          to={settle.path}
          {...(status === 'conflict'
            ? { variant: 'contained' as const }
            : { variant: 'outlined' as const, color: 'inherit' as const })}
        >
          {settle.label}
        </Button>
      )}
      {status === 'refused' && (
        <Button color="inherit" variant="outlined" onClick={() => actions.retry(entry)}>
          {t('Retry')}
        </Button>
      )}
      {(status === 'checking' || waitsForAnother(entry)) && (
        <Button color="inherit" variant="outlined" onClick={() => actions.retry(entry)}>
          {t('Send now')}
        </Button>
      )}
      {isForWifi(entry, travel) && (
        <Button color="inherit" variant="outlined" onClick={() => actions.sendAnyway(entry)}>
          {t('Send now anyway')}
        </Button>
      )}
      <HaltButton entry={entry} travel={travel} />
      {undoable ? (
        <Button color="inherit" onClick={() => actions.undo(entry)}>
          {t('Undo')}
        </Button>
      ) : (
        <Button color="error" disabled={entry.state === 'sending'} onClick={() => void actions.discard(entry)}>
          {t('Discard')}
        </Button>
      )}
    </div>
  );
}

/** Pauses and resumes the upload of large files, for example until the connection is better. */
function HaltButton({ entry, travel }: { entry: OutboxEntry; travel: Travel | undefined }) {
  const actions = useEntryActions();
  if (missingFiles(entry, travel).length === 0 || entry.state !== 'pending') return null;
  const halted = isHalted(entry, travel);
  if (!halted && isForWifi(entry, travel)) return null;
  return (
    <Button color="inherit" variant="outlined" onClick={() => actions.halt(entry, !halted)}>
      {halted ? t('Resume') : t('Pause')}
    </Button>
  );
}

/** The server's errors for single fields. */
function FieldErrorList({ entry }: { entry: OutboxEntry }) {
  const texts = Object.entries(refusalErrors(entry)).map(([field, [text]]) => ({ field, text }));
  if (texts.length === 0) return null;
  return (
    <ul className="entry-errors">
      {texts.map(({ field, text }) => (
        <li key={field}>{say(text ?? '')}</li>
      ))}
    </ul>
  );
}

function attemptsWords({ attempts }: OutboxEntry): string {
  if (attempts === 0) return '';
  return t('{count, plural, one {tried once} other {tried # times}}', { count: attempts });
}
