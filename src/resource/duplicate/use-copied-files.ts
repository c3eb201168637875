import { useCallback, useEffect, useRef, useState } from 'react';
import { type AttachmentField, isManyFiles } from '../../domain/fields.ts';
import { filesOf } from '../../fields/form-file.ts';
import { takeFile } from '../../fields/photos/take-file.ts';
import { useLatest } from '../../ui/use-latest.ts';
import type { OpenForm } from '../form/use-save.ts';
import type { FileSource } from './sources.ts';

/** How far the files of the other record are: on their way, done, given up, or `missing` for the number that could not be had. */
export interface Copying {
  readonly state: 'copying' | 'done' | 'missing';
  readonly total: number;
  /** Files that need not come any more: they are in the form, or another was picked in their place. */
  readonly copied: number;
  readonly again: () => void;
  /** Goes on without those that are not here yet. */
  readonly stop: () => void;
}

/** What is being read, beside the fields of the form. */
const COPIES = 'copied files';

/** A file that does not come within this time counts as one that cannot be had. Milliseconds. */
const PATIENCE = 60_000;

/**
 * Brings another record's files into a form, one after the other, in their order. A file that somebody picked stays where there
 * is place for one only. Save is to wait while they are `copying`.
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
  /** Another file stands in its place. */
  readonly isTaken: (source: FileSource) => boolean;
  readonly onFile: (source: FileSource, file: Found) => void;
  /** One file less to wait for. */
  readonly onSettled: () => void;
}

/** Hands over each file that can be had and whose place is free, and answers those that could not be had. */
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
    // Not on this device, or no answer: the form says so and offers to try again.
    return undefined;
  }
}
