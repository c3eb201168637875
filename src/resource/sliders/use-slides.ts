import { useEffect, useState } from 'react';
import { recordCopy } from '../../api/sources.ts';
import { baseOf } from '../../domain/outbox/base.ts';
import { type PendingRow, valuesOf } from '../../domain/outbox/optimistic-view.ts';
import { type Resource, textOf } from '../../domain/resource.ts';
import { bySerial, type Slide } from './order-rules.ts';

/** The slides in their current order. Undefined while they are being read; `failed` if any could not be read. */
export function useSlides(resource: Resource, rows: readonly PendingRow[]): { slides?: Slide[]; failed: boolean } {
  const [state, setState] = useState<{ slides?: Slide[]; failed: boolean }>({ failed: false });
  useEffect(() => {
    let wanted = true;
    const open = rows.filter((row) => row.pending !== 'delete');
    const read = async () => {
      const slides = (await Promise.all(open.map((row) => slideOf(resource, row)))).filter(
        (slide) => slide !== undefined,
      );
      if (wanted)
        setState(slides.length < open.length ? { failed: true } : { slides: bySerial(slides), failed: false });
    };
    void read();
    return () => {
      wanted = false;
    };
  }, [resource, rows]);
  return state;
}

/** Reads the whole record if the list has only its columns, and so no serial. */
async function slideOf(resource: Resource, row: PendingRow): Promise<Slide | undefined> {
  const record = textOf(row['serial']) === '' ? await recordOf(resource, row) : row;
  if (record === undefined) return undefined;
  const values = valuesOf(resource, { ...record, ...(row.pending === undefined ? {} : { text: row['text'] }) });
  return { recordId: row.recordId, values, base: baseOf(resource, record), image: textOf(row['image']) };
}

async function recordOf(resource: Resource, row: PendingRow) {
  const copy = recordCopy(resource, Number(row.recordId));
  await copy.refresh();
  return copy.state().value;
}
