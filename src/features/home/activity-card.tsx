import { styled } from '@mui/material/styles';
import { useEffect, useMemo, useState } from 'react';

import { followActivity } from '../../api/activity.ts';
import { useReceipts } from '../../api/live.ts';
import type { ActivityEntry } from '../../domain/activity.ts';
import { screenOf } from '../../domain/resource.ts';
import { isKnownKind, resourceOf } from '../../domain/resources/index.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useSession } from '../../stores/session.ts';
import { formatMoment } from '../../ui/format.ts';
import { Initials } from '../../ui/initials.tsx';
import { Link } from '../../ui/link.tsx';
import { colour } from '../../ui/tokens.ts';
import { recordLink } from '../outbox/entry-links.ts';
import { rich } from '../../language/rich.tsx';
import { locale, msg, t } from '../../language/t.ts';

/**
 * Recent activity of all administrators, linked to the records. Renders nothing if the server has no activity log or it is
 * empty.
 */
export function Activity({ now }: { readonly now: number }) {
  const isKnown = useServerAbilities(({ activity }) => activity);
  return isKnown === true ? <Lines now={now} /> : null;
}

/** Most entries shown. */
const SHOWN = 6;

const NOTHING: readonly ActivityEntry[] = [];

function Lines({ now }: { readonly now: number }) {
  const [told, setTold] = useState(NOTHING);
  useEffect(() => followActivity(setTold), []);
  const entries = useNews(told);
  if (entries.length === 0) return null;
  return (
    <Part aria-labelledby="activity">
      <h2 id="activity">{t('Recent activity')}</h2>
      <ol>
        {entries.slice(0, SHOWN).map((entry) => (
          <Line key={entry.id} entry={entry} now={now} />
        ))}
      </ol>
    </Part>
  );
}

/** Leaves out the user's own changes from this device: they are in the card above. */
function useNews(entries: readonly ActivityEntry[]): readonly ActivityEntry[] {
  const own = useSession(({ user }) => user?.id);
  const receipts = useReceipts();
  return useMemo(() => {
    const here = new Set((receipts ?? []).map(recordLink));
    return entries.filter((entry) => entry.administratorId !== own || !here.has(pathOf(entry) ?? ''));
  }, [entries, own, receipts]);
}

/** Undefined for a kind that this version of the app does not know. */
function pathOf({ resource, recordId }: ActivityEntry): string | undefined {
  if (!isKnownKind(resource)) return undefined;
  return screenOf(resourceOf(resource), recordId);
}

function Line({ entry, now }: { readonly entry: ActivityEntry; readonly now: number }) {
  const own = useSession(({ user }) => user?.id);
  const { administrator, administratorId, action, title, at, sentAgainFrom: device } = entry;
  const path = entry.isGone ? undefined : pathOf(entry);
  const isOwn = administratorId === own;
  const who = <strong>{isOwn ? t('You') : administrator}</strong>;
  return (
    <li>
      <Initials name={administrator} />
      <span className="what">
        {rich(wordsFor(action, isOwn), {
          name: who,
          you: who,
          record: path === undefined ? <span>{title}</span> : <Link to={path}>{title}</Link>,
        })}
        {device !== undefined && <small> · {t('sent again from {device}', { device })}</small>}
      </span>
      <time dateTime={at} title={new Date(at).toLocaleString(locale())}>
        {formatMoment(Date.parse(at), now)}
      </time>
    </li>
  );
}

/** An action that a newer server has is told as an update. */
function wordsFor(action: ActivityEntry['action'], isOwn: boolean): string {
  const words: Readonly<Partial<Record<string, string>>> = isOwn ? OWN_WORDS : WORDS;
  return words[action] ?? (isOwn ? OWN_WORDS : WORDS).update;
}

const WORDS = {
  create: msg('{name} created {record}'),
  update: msg('{name} updated {record}'),
  delete: msg('{name} deleted {record}'),
  'delete-image': msg('{name} removed an image from {record}'),
  restore: msg('{name} restored {record}'),
} as const satisfies Readonly<Record<ActivityEntry['action'], string>>;

/** Separate messages, because some languages inflect the verb: German "Sie haben", but "Anna hat". */
const OWN_WORDS = {
  create: msg('{you} created {record}'),
  update: msg('{you} updated {record}'),
  delete: msg('{you} deleted {record}'),
  'delete-image': msg('{you} removed an image from {record}'),
  restore: msg('{you} restored {record}'),
} as const satisfies Readonly<Record<ActivityEntry['action'], string>>;

const Part = styled('section')(({ theme }) => ({
  marginTop: theme.spacing(4),
  '& h2': { ...theme.typography.h2, margin: 0 },
  '& ol': {
    margin: theme.spacing(1.5, 0, 0),
    padding: theme.spacing(0.5, 1.75),
    border: `1px solid ${colour.line}`,
    borderRadius: 16,
    backgroundColor: colour.surface,
    listStyle: 'none',
  },
  '& li': { position: 'relative', display: 'flex', alignItems: 'center', gap: 12, minHeight: 48 },
  '& li + li': { borderTop: `1px solid ${colour.line}` },
  '& .what': { flex: 1, minWidth: 0, paddingBlock: 8, overflowWrap: 'anywhere' },
  '& .what strong': { fontWeight: 600 },
  '& a': { color: colour.text, fontWeight: 600, textDecorationColor: colour.line, textUnderlineOffset: 3 },
  '& a::after': { content: '""', position: 'absolute', inset: 0, borderRadius: 8 },
  '& a:hover': { textDecorationColor: 'currentColor' },
  '& a:focus-visible': { outline: 'none' },
  '& a:focus-visible::after': { outline: `2px solid ${colour.brand}`, outlineOffset: -2 },
  '& time': { flex: 'none', color: colour.quietText, fontSize: '0.8125rem', fontVariantNumeric: 'tabular-nums' },
}));
