import { styled } from '@mui/material/styles';
import { useReceipts } from '../../api/live.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { formatMoment } from '../../ui/format.ts';
import { colour } from '../../ui/tokens.ts';
import { workedOn } from '../outbox/entry-links.ts';
import { EntryPicture } from '../outbox/entry-title.tsx';
import { operationOf } from '../outbox/entry-words.ts';
import { Link } from '../../ui/link.tsx';
import { msg, say, t } from '../../language/t.ts';

/** The records last worked on and the number of changes sent today. Renders nothing without receipts. */
export function RecentWork({ now }: { now: number }) {
  const receipts = useReceipts() ?? [];
  const recent = workedOn(receipts).slice(0, SHOWN);
  if (recent.length === 0) return null;
  const today = receipts.filter(({ receipt }) => isToday(receipt?.at ?? 0, now));
  return (
    <Part aria-labelledby="recent">
      <h2 id="recent">{t('Pick up where you left off')}</h2>
      {today.length > 0 && (
        <p>
          {t('{count, plural, one {# change} other {# changes}} sent today{kinds}', {
            count: today.length,
            kinds: kindsOf(today),
          })}
        </p>
      )}
      <ul>
        {recent.map(({ entry, link }) => (
          <li key={entry.id}>
            <Link to={link}>
              <EntryPicture entry={entry} />
              <strong>{entry.title}</strong>
              <span>
                {operationOf(entry)}, {formatMoment(entry.receipt?.at ?? now, now)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Most records shown. */
const SHOWN = 4;

const DONE = {
  create: msg('created'),
  update: msg('updated'),
  delete: msg('deleted'),
  'delete-image': msg('deleted'),
} as const satisfies Readonly<Record<OutboxEntry['change']['op'], string>>;

/** ": 2 updated, 1 created", or an empty string if all are of one kind. */
function kindsOf(receipts: readonly OutboxEntry[]): string {
  const done = receipts.map((entry) => say(DONE[entry.change.op]));
  const kinds = [...new Set(done)];
  if (kinds.length < 2) return '';
  return `: ${kinds.map((kind) => `${done.filter((one) => one === kind).length} ${kind}`).join(', ')}`;
}

function isToday(at: number, now: number): boolean {
  return new Date(at).toDateString() === new Date(now).toDateString();
}

const Part = styled('section')(({ theme }) => ({
  marginTop: theme.spacing(4),
  '& h2': { ...theme.typography.h2, margin: 0 },
  '& p': { margin: theme.spacing(0.5, 0, 0), color: colour.quietText, fontSize: '0.875rem' },
  '& ul': {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 270px), 1fr))',
    gap: theme.spacing(1.5),
    margin: theme.spacing(1.5, 0, 0),
    padding: 0,
    listStyle: 'none',
  },
  '& a': {
    display: 'grid',
    gridAutoColumns: 'minmax(0, 1fr)',
    gap: '2px 12px',
    padding: theme.spacing(1.25, 1.75),
    border: `1px solid ${colour.line}`,
    borderRadius: 14,
    backgroundColor: colour.surface,
    color: colour.text,
    textDecoration: 'none',
  },
  '& a:hover': { borderColor: colour.brand },
  '& .entry-picture': {
    gridRow: '1 / 3',
    alignSelf: 'center',
    width: 44,
    height: 44,
    objectFit: 'cover',
    borderRadius: 10,
    backgroundColor: '#fff',
  },
  '& a:has(.entry-picture)': { gridTemplateColumns: '44px minmax(0, 1fr)' },
  '& .missing-picture': { visibility: 'hidden' },
  '& a > *': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& a > span': { color: colour.quietText, fontSize: '0.8125rem' },
}));
