import { useCallback, useEffect, useRef, useState } from 'react';
import type { AttachmentField } from '../../domain/fields.ts';
import { takeFile } from '../../fields/photos/take-file.ts';
import type { RecordForm } from '../form/use-record-form.ts';
import type { FileSource } from './sources.ts';

/** How far the files of the other record are: on their way, done, given up, or `missing` for the number that could not be had. */
export interface Copying {
  readonly state: 'copying' | 'done' | 'missing';
  readonly total: number;
  /** Files that are in the form. */
  readonly copied: number;
  readonly again: () => void;
  /** Goes on without those that are not here yet. */
  readonly stop: () => void;
}

/** A file that does not come within this time counts as one that cannot be had. Milliseconds. */
const PATIENCE = 60_000;

/** Brings another record's files into a form, one after the other, in their order. Save waits for them. */
export function useCopiedFiles(sources: readonly FileSource[], form: RecordForm): Copying {
  const [copied, setCopied] = useState(0);
  const [state, setState] = useState<Copying['state']>(sources.length > 0 ? 'copying' : 'done');
  const left = useRef(sources);
  const add = useRef(form.addFiles);
  useEffect(() => {
    add.current = form.addFiles;
  });
  const stopper = useRef<AbortController>(undefined);
  const { setReading } = form;

  const copy = useCallback(async () => {
    const [first] = left.current;
    if (first === undefined) return;
    const stop = new AbortController();
    stopper.current = stop;
    setState('copying');
    setReading(first.field, true);
    const missing = await bring(left.current, stop.signal, (source, file) => {
      add.current(source.field, [file]);
      setCopied((count) => count + 1);
    });
    setReading(first.field, false);
    left.current = missing;
    setState(missing.length === 0 ? 'done' : 'missing');
  }, [setReading]);

  useEffect(() => {
    void copy();
    return () => stopper.current?.abort();
  }, [copy]);
  return { state, total: sources.length, copied, again: () => void copy(), stop: () => stopper.current?.abort() };
}

type Found = Extract<Awaited<ReturnType<typeof takeFile>>, { ok: true }>['file'];

/** Hands over each file that can be had, and answers those that could not. */
async function bring(
  sources: readonly FileSource[],
  signal: AbortSignal,
  onFile: (source: FileSource, file: Found) => void,
): Promise<FileSource[]> {
  const missing: FileSource[] = [];
  for (const source of sources) {
    const file = signal.aborted ? undefined : await fileOf(source.field, source, signal);
    if (file !== undefined && !signal.aborted) onFile(source, file);
    else missing.push(source);
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
