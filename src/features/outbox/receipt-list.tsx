import DoneIcon from '@mui/icons-material/CheckCircleOutlined';
import { useState } from 'react';
import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { fieldOf, routesOf } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { formatCount, formatMoment } from '../../ui/format.ts';
import { operationOf } from './entry-words.ts';

/** Enough to find today's; the rest comes on request. */
const SHOWN = 20;

/** What arrived in the last 30 days, newest first. */
export function ReceiptList({ receipts, now }: { receipts: readonly OutboxEntry[]; now: number }) {
  const [all, setAll] = useState(false);
  const shown = all ? receipts : receipts.slice(0, SHOWN);
  return (
    <>
      <ul className="receipts">
        {shown.map((entry) => (
          <ReceiptLine key={entry.id} entry={entry} now={now} />
        ))}
      </ul>
      {shown.length < receipts.length && (
        <Button color="inherit" onClick={() => setAll(true)}>
          Show {formatCount(receipts.length - shown.length, 'more receipt')}
        </Button>
      )}
    </>
  );
}

function ReceiptLine({ entry, now }: { entry: OutboxEntry; now: number }) {
  const { receipt } = entry;
  return (
    <li>
      <DoneIcon aria-hidden fontSize="small" />
      <span className="receipt-what">
        <strong>{entry.title}</strong> <span>{operationOf(entry)}</span>
        {receipt?.merged !== undefined && receipt.merged.length > 0 && (
          <em> Kept as somebody else had changed it: {mergedWords(entry)}.</em>
        )}
        {receipt?.twins?.map((id) => (
          <Twin key={id} entry={entry} id={id} />
        ))}
      </span>
      <span className="receipt-when">
        {receipt?.message} {receipt !== undefined && formatMoment(receipt.at, now)}
      </span>
    </li>
  );
}

/** A row that a repeat made by the browser seems to have doubled. It is never removed by itself. */
function Twin({ entry, id }: { entry: OutboxEntry; id: number }) {
  if (entry.change.op === 'save-settings') return null;
  const { edit } = routesOf(resourceOf(entry.change.resource));
  return (
    <em>
      {' '}
      It seems to be there twice: look at <Link to={edit(id)}>record {id}</Link> and delete it if so.
    </em>
  );
}

function mergedWords({ change, receipt }: OutboxEntry): string {
  const owner = change.op === 'save-settings' ? undefined : resourceOf(change.resource);
  const labels = receipt?.merged?.map((name) => (owner && fieldOf(owner, name)?.label) ?? name) ?? [];
  return labels.join(', ');
}
