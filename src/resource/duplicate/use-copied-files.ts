import { useCallback, useEffect, useRef, useState } from 'react';
import { type AttachmentField, isManyFiles } from '../../domain/fields.ts';
import { filesOf } from '../../fields/form-file.ts';
import { takeFile } from '../../fields/photos/take-file.ts';
import { useLatest } from '../../ui/use-latest.ts';
import type { OpenForm } from '../form/use-save.ts';
import type { FileSource } from './sources.ts';

/** The state of copying: running, done, or `missing` files, also of a copying that was stopped. */
export interface Copying {
  readonly state: 'copying' | 'done' | 'missing';
  readonly total: number;
  /** Files that are in the form, or replaced by a picked one. */
  readonly copied: number;
  readonly again: () => void;
  /** Continues without the remaining files. */
  readonly stop: () => void;
}

/** The name of this reading in the form's session. */
const COPIES = 'copied files';

/** Time-out of one file. Milliseconds. */
const PATIENCE = 60_000;

/**
 * Copies another record's files into a form, in order. A picked file wins over a copied one in a single-file field. Save waits
 * while the state is `copying`.
 */
export function useCopiedFiles(sources: readonly FileSource[], form: OpenForm): Copying {
  const [copied, setCopied] = useState(0);
  const [state, setState] = useState<Copying['state']>(sources.length > 0 ? 'copying' : 'done');
  const left = useRef(sources);
  const latest = useLatest(form);
  const stopper = useRef<AbortController>(undefined);
  const { dispatch } = form;
  useEffect(() => dispatch({ type: 'reading', name: COPIES, busy: state === 'copying' }), [dispatch, state]);

  const copy = useCallback(async () => {
    if (left.current.length === 0) return;
    const stop = new AbortController();
    stopper.current = stop;
    setState('copying');
    const missing = await bring(left.current, stop.signal, {
      isTaken: ({ field }) => !isManyFiles(field) && filesOf(latest.current.session.now.files, field).length > 0,
      onFile: ({ field }, file) => dispatch({ type: 'picked', field, files: [file] }),
      onSettled: () => setCopied((count) => count + 1),
    });
    left.current = missing;
    setState(missing.length === 0 ? 'done' : 'missing');
  }, [latest, dispatch]);

  useEffect(() => {
    void copy();
    return () => stopper.current?.abort();
  }, [copy]);
  return { state, total: sources.length, copied, again: () => void copy(), stop: () => stopper.current?.abort() };
}

type Found = Extract<Awaited<ReturnType<typeof takeFile>>, { ok: true }>['file'];

interface Receiver {
  /** True if another file has taken its place. */
  readonly isTaken: (source: FileSource) => boolean;
  readonly onFile: (source: FileSource, file: Found) => void;
  /** Called when one file is settled. */
  readonly onSettled: () => void;
}

/** Copies each available file whose place is free. Returns the ones that could not be copied. */
async function bring(
  sources: readonly FileSource[],
  signal: AbortSignal,
  { isTaken, onFile, onSettled }: Receiver,
): Promise<FileSource[]> {
  const missing: FileSource[] = [];
  for (const source of sources) {
    const file = signal.aborted || isTaken(source) ? undefined : await fileOf(source.field, source, signal);
    const taken = isTaken(source);
    if (file !== undefined && !taken && !signal.aborted) onFile(source, file);
    else if (!taken) {
      missing.push(source);
      continue;
    }
    onSettled();
  }
  return missing;
}

async function fileOf(field: AttachmentField, source: FileSource, signal: AbortSignal): Promise<Found | undefined> {
  try {
    const taken = await takeFile(field, await source.open(AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)])));
    return taken.ok ? taken.file : undefined;
  } catch {
    // Not on this device, or no answer: the form reports it and offers Retry.
    return undefined;
  }
}
