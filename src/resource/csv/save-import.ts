import { type ChangeDraft, outbox, type PickedFile } from '../../api/outbox.ts';
import { isAttachment } from '../../domain/fields.ts';
import type { Resource } from '../../domain/resource.ts';
import { withSchemes } from '../../domain/web-address.ts';
import { takeFile } from '../../fields/photos/take-file.ts';
import type { Row } from '../list/list-rules.ts';
import { baseOf } from '../../domain/outbox/base.ts';

import { told } from '../told.ts';
import type { ImportLine } from './csv-import.ts';
import { t } from '../../language/t.ts';

/** The outcome of an import: the enqueued lines, and the problems in words. */
export interface ImportOutcome {
  /** Line numbers that are in the outbox. */
  readonly saved: readonly number[];
  readonly problems: readonly string[];
}

/** The inputs of an import. */
export interface ImportJob {
  readonly resource: Resource;
  readonly files: ReadonlyMap<string, File>;
  /** The records to update, before the import. */
  readonly rows: readonly Row[];
  readonly administrator: string;
  /** Called with the number of finished lines. */
  readonly onProgress: (done: number) => void;
  /** Asked before each line. Those after a stop stay to be imported. */
  readonly isStopped?: () => boolean;
}

/**
 * Enqueues lines in order. Skips and reports a line with an unreadable file. Stops if the device's storage fails, and an alert
 * says how far it got.
 */
export async function saveImport(lines: readonly ImportLine[], job: ImportJob): Promise<ImportOutcome> {
  const { resource, files, rows, administrator, onProgress, isStopped } = job;
  const problems: string[] = [];
  const saved: number[] = [];
  for (const [place, line] of lines.entries()) {
    if (isStopped?.() === true) break;
    onProgress(place);
    const { taken, problem } = await picked(resource, line, files);
    if (problem !== undefined) {
      problems.push(t('Line {line}: {problem}', { line: line.line, problem }));
      continue;
    }
    const draft = draftOf(resource, line, taken, rows);
    const standing = t('{saved} of {count, plural, one {# line} other {# lines}} saved.', {
      saved: saved.length,
      count: lines.length,
    });
    const entry = await told(outbox.enqueue(draft, { administrator, title: line.title }), standing);
    if (entry === undefined) break;
    saved.push(line.line);
  }
  return { saved, problems };
}

interface Picked {
  readonly taken: PickedFile[];
  /** Why one of them cannot be read. */
  readonly problem?: string;
}

/** The files named by a line. */
async function picked(resource: Resource, line: ImportLine, files: ReadonlyMap<string, File>): Promise<Picked> {
  const taken: PickedFile[] = [];
  for (const field of resource.fields.filter(isAttachment)) {
    for (const name of line.fileNames[field.name] ?? []) {
      const file = files.get(name);
      if (file === undefined) return { taken, problem: t('“{name}” was not chosen.', { name }) };
      const result = await takeFile(field, file);
      if (!result.ok) return { taken, problem: result.reason };
      taken.push(result.file);
    }
  }
  return { taken };
}

function draftOf(resource: Resource, line: ImportLine, files: PickedFile[], rows: readonly Row[]): ChangeDraft {
  const { recordId } = line;
  const values = withSchemes(resource.fields, line.values);
  if (recordId === undefined) return { op: 'create', resource: resource.name, values, files };
  const row = rows.find((candidate) => candidate.recordId === recordId) ?? { recordId };
  // A row combines a list's columns with a record read at another time, so no version covers it. Without one, the sender reads the
  // record and keeps edits by others in fields that the line does not set.
  const { version: _, ...base } = baseOf(resource, row);
  return { op: 'update', resource: resource.name, recordId, values, files, base };
}
