import DoneIcon from '@mui/icons-material/CloudDoneOutlined';
import WaitingIcon from '@mui/icons-material/CloudUploadOutlined';
import AttentionIcon from '@mui/icons-material/ErrorOutlined';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEntries } from '../../api/live.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { QueueState } from '../../offline/outbox/queries.ts';
import { sendsWhenClosed } from '../../api/self-check.ts';

import { colour, tint } from '../../ui/tokens.ts';
import { recordLink, settlePath } from '../outbox/entry-links.ts';
import { operationOf } from '../outbox/entry-words.ts';
import { Link } from '../../ui/link.tsx';
import { msg, say, t } from '../../language/t.ts';

/** Summarizes the queue, names its first changes, and links to the outbox. */
export function QueueCard({ queue }: { readonly queue: QueueState | undefined }) {
  const { tone, Icon, title, text } = wordsFor(queue);
  const entries = useEntries() ?? NONE;
  return (
    <Card style={{ '--tone': tone } as React.CSSProperties}>
      <Icon aria-hidden="true" />
      <div>
        <strong>{title}</strong>
        <div>{text}</div>
      </div>
      <Button component={Link} to="/outbox" variant="outlined" color="inherit">
        {t('Outbox')}
      </Button>
      {entries.length > 0 && <Named entries={entries} />}
    </Card>
  );
}

const NONE: readonly OutboxEntry[] = [];

/** Named changes; the rest are counted. */
const SHOWN = 4;

/** Waiting changes by name, those that need attention first, each linked to where it is settled. */
function Named({ entries }: { entries: readonly OutboxEntry[] }) {
  const needs = (entry: OutboxEntry) => entry.state === 'attention';
  const sorted = [...entries.filter(needs), ...entries.filter((entry) => !needs(entry))];
  return (
    <ul>
      {sorted.slice(0, SHOWN).map((entry) => (
        <li key={entry.id} data-needs={needs(entry) || undefined}>
          <Link to={(needs(entry) ? settlePath(entry)?.path : recordLink(entry)) ?? '/outbox'}>{entry.title}</Link>
          <span>{operationOf(entry)}</span>
        </li>
      ))}
      {sorted.length > SHOWN && (
        <li>
          <Link to="/outbox">{t('and {count} more', { count: sorted.length - SHOWN })}</Link>
        </li>
      )}
    </ul>
  );
}

/** Shown until the queue is loaded: it claims nothing, and nothing flickers. */
const UNKNOWN = { tone: colour.quietText, Icon: WaitingIcon, title: msg('Outbox'), text: '\u00a0' };

/** A browser without background sync sends only while the app is open. */
const SAFE = sendsWhenClosed()
  ? msg('Safe on this device until then.')
  : msg('Safe on this device. Keep Voltdesk open until it says Online: this browser can’t send in the background.');

function wordsFor(queue: QueueState | undefined) {
  if (queue === undefined) return { ...UNKNOWN, title: say(UNKNOWN.title) };
  const { waiting, needAttention, otherAdministratorsWaiting: foreign } = queue;
  const theirs =
    foreign > 0
      ? ` ${t('{count, plural, one {# change} other {# changes}} of other administrators wait here too.', { count: foreign })}`
      : '';
  if (needAttention > 0) {
    const title = t('{count, plural, one {# change needs} other {# changes need}} your attention', {
      count: needAttention,
    });
    const others = waiting - needAttention;
    const more =
      others > 0
        ? ` ${t('{count, plural, one {# more change waits} other {# more changes wait}} to be sent.', { count: others })}`
        : '';
    const text = `${t('Nothing is lost. The Outbox shows why.')}${more}${theirs}`;
    return { tone: colour.bad, Icon: AttentionIcon, title, text };
  }
  if (waiting > 0) {
    const title = t('{count, plural, one {# change waits} other {# changes wait}} to be sent', { count: waiting });
    return { tone: colour.info, Icon: WaitingIcon, title, text: `${say(SAFE)}${theirs}` };
  }
  const lost = queue.lossNoticedAt !== undefined;
  const none = lost
    ? t('What you save without a connection waits here until it can be sent.')
    : t('Nothing waiting on this device.');
  return {
    tone: lost ? colour.info : colour.good,
    Icon: DoneIcon,
    // Lost changes were not sent.
    title: lost ? t('Nothing waiting on this device') : t('All changes sent'),
    text: foreign > 0 ? `${t('Nothing of yours is waiting on this device.')}${theirs}` : none,
  };
}

const Card = styled('section')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(2),
  padding: theme.spacing(2, 2.5),
  border: `1px solid ${tint('var(--tone)', 28, colour.line)}`,
  borderRadius: 16,
  backgroundColor: tint('var(--tone)', 6, colour.surface),
  '& > svg': { fontSize: 30, color: 'var(--tone)' },
  '& > div': { flex: '1 1 180px' },
  // Without `minWidth` a long name would widen the page.
  '& > ul': { flex: '1 0 100%', minWidth: 0, margin: 0, padding: 0, listStyle: 'none' },
  '& li': {
    display: 'flex',
    gap: 12,
    alignItems: 'center',
    minHeight: 36,
    borderTop: `1px solid ${tint('var(--tone)', 20, colour.line)}`,
  },
  '@media (pointer: coarse)': { '& li': { minHeight: 44 }, '& li a': { lineHeight: '44px' } },
  '& li a': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', color: colour.text, fontWeight: 600 },
  '& li[data-needs] a': { color: colour.bad },
  '& li span': { flex: 'none', marginInlineStart: 'auto', color: colour.quietText, fontSize: '0.875rem' },
  '& > div > div': { color: colour.quietText, fontSize: '0.875rem' },
}));
