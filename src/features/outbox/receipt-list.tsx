import DoneIcon from '@mui/icons-material/CheckCircleOutlined';
import { useState } from 'react';
import Button from '@mui/material/Button';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { isReadable } from '../../domain/outbox/scheduler.ts';
import { fieldOf, screenOf } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { formatDay, formatTime } from '../../ui/format.ts';
import { filesWords } from './changed-values.ts';
import { EntryPicture, EntryTitle } from './entry-title.tsx';
import { operationOf } from './entry-words.ts';
import { WhatChanged } from './what-changed.tsx';
import { Link } from '../../ui/link.tsx';
import { rich } from '../../language/rich.tsx';
import { say, t } from '../../language/t.ts';

/** Usually covers today. The rest is shown on request. */
const SHOWN = 20;

/** Receipts of the last 30 days, newest first, grouped by day. */
export function ReceiptList({ receipts, now }: { receipts: readonly OutboxEntry[]; now: number }) {
  const [all, setAll] = useState(false);
  const shown = all ? receipts : receipts.slice(0, SHOWN);
  return (
    <>
      {byDay(shown, now).map(({ day, entries }) => (
        <section key={day} aria-label={day}>
          <h3 className="receipt-day">
            {day} <small>{t('{count, plural, one {# change} other {# changes}}', { count: entries.length })}</small>
          </h3>
          <ul className="receipts">
            {entries.map((entry) => (
              <ReceiptLine key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      {shown.length < receipts.length && (
        <Button color="inherit" onClick={() => setAll(true)}>
          {t('Show {count, plural, one {# more receipt} other {# more receipts}}', {
            count: receipts.length - shown.length,
          })}
        </Button>
      )}
    </>
  );
}

/** Groups receipts by the day they were confirmed, in their order. */
function byDay(receipts: readonly OutboxEntry[], now: number) {
  const days = new Map<string, OutboxEntry[]>();
  for (const entry of receipts) {
    const day = formatDay(entry.receipt?.at ?? now, now);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days].map(([day, entries]) => ({ day, entries }));
}

function ReceiptLine({ entry }: { entry: OutboxEntry }) {
  const { receipt } = entry;
  return (
    <li>
      <span className="receipt-picture">
        <DoneIcon aria-hidden />
        <EntryPicture entry={entry} />
      </span>
      <div className="receipt-what">
        <strong>
          <EntryTitle entry={entry} />
        </strong>{' '}
        <span>{[operationOf(entry), filesWords(entry.change)].filter(Boolean).join(' · ')}</span>
        <WhatChanged entry={entry} />
        {receipt?.merged !== undefined && receipt.merged.length > 0 && isReadable(entry) && (
          <em>{t('Kept someone else’s version: {fields}.', { fields: mergedWords(entry) })}</em>
        )}
        {(isReadable(entry) ? receipt?.duplicates : undefined)?.map((id) => (
          <Duplicate key={id} entry={entry} id={id} />
        ))}
      </div>
      {receipt !== undefined && (
        <time className="receipt-when" dateTime={new Date(receipt.at).toISOString()} title={say(receipt.message)}>
          {formatTime(receipt.at)}
        </time>
      )}
    </li>
  );
}

/** Points to a row that the browser's own repeat of a request seems to have duplicated. It is never deleted automatically. */
function Duplicate({ entry, id }: { entry: OutboxEntry; id: number }) {
  const address = screenOf(resourceOf(entry.change.resource), id);
  return (
    <em>
      {' '}
      {rich('It may exist twice: check {link} and delete it if so.', {
        link: <Link to={address}>{t('record {id}', { id: String(id) })}</Link>,
      })}
    </em>
  );
}

function mergedWords({ change, receipt }: OutboxEntry): string {
  const labels =
    receipt?.merged?.map((name) => fieldOf(resourceOf(change.resource), name)?.label ?? name).map(say) ?? [];
  return labels.join(', ');
}
