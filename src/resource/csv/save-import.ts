import { type ChangeDraft, outbox, type PickedFile } from '../../api/outbox.ts';
import { isAttachment } from '../../domain/fields.ts';
import type { Resource } from '../../domain/resource.ts';
import { takeFile } from '../../fields/photos/take-file.ts';
import type { Row } from '../list/list-rules.ts';
import { textOf } from '../../domain/resource.ts';
import { valuesOf } from '../../domain/outbox/overlay.ts';
import type { ImportLine } from './csv-import.ts';

/** How an import went: what is now in the outbox, and what could not be taken, in words. */
export interface ImportOutcome {
  readonly saved: number;
  readonly problems: readonly string[];
}

/** Puts lines into the outbox one after the other; a line whose file can't be taken is left out and told. */
export async function saveImport(
  resource: Resource,
  lines: readonly ImportLine[],
  files: ReadonlyMap<string, File>,
  rows: readonly Row[],
  administrator: string,
): Promise<ImportOutcome> {
  const problems: string[] = [];
  let saved = 0;
  for (const line of lines) {
    try {
      const draft = draftOf(resource, line, await picked(resource, line, files), rows);
      await outbox.enqueue(draft, { administrator, title: line.title });
      saved += 1;
    } catch (error) {
      problems.push(`Line ${line.line}: ${error instanceof Error ? error.message : 'could not be saved.'}`);
    }
  }
  return { saved, problems };
}

async function picked(resource: Resource, line: ImportLine, files: ReadonlyMap<string, File>): Promise<PickedFile[]> {
  const taken: PickedFile[] = [];
  for (const field of resource.fields.filter(isAttachment)) {
    for (const name of line.fileNames[field.name] ?? []) {
      const file = files.get(name);
      if (file === undefined) throw new Error(`“${name}” was not chosen.`);
      const result = await takeFile(field, file);
      if (!result.ok) throw new Error(result.reason);
      taken.push(result.file);
    }
  }
  return taken;
}

function draftOf(resource: Resource, line: ImportLine, files: PickedFile[], rows: readonly Row[]): ChangeDraft {
  const { values, recordId } = line;
  if (recordId === undefined) return { op: 'create', resource: resource.name, values, files };
  const row = rows.find((candidate) => candidate.recordId === recordId) ?? { recordId };
  const version = textOf(row['version']);
  const base = { values: valuesOf(resource, row), imageIds: [], ...(version === '' ? {} : { version }) };
  return { op: 'update', resource: resource.name, recordId, values, files, base };
}
