import DownloadIcon from '@mui/icons-material/FileDownloadOutlined';
import UploadIcon from '@mui/icons-material/UploadFileOutlined';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useRef, useState } from 'react';
import { isAttachment, isValue } from '../../domain/fields.ts';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import type { Resource } from '../../domain/resource.ts';
import { emptied } from '../../fields/photos/emptied.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { notify } from '../../stores/notifications.ts';
import { useUnsaved } from '../../stores/unsaved.ts';
import { useGuardedClose } from '../../ui/use-guarded-close.ts';
import type { Values } from '../../domain/validate.ts';

import type { Row } from '../list/list-rules.ts';
import { told } from '../told.ts';
import { useAdministrator } from '../use-administrator.ts';
import { countLines, importedIds, type ImportLine, type ImportPlan, isReady, planImport } from './csv-import.ts';
import { decodeCsv } from './csv.ts';
import { download } from './csv-export.ts';
import { ImportPreview } from './import-preview.tsx';
import { type Fills, templateCsv, withFills, withFixes } from './line-fixes.ts';
import { saveImport } from './save-import.ts';
import { completeRows } from './whole-rows.ts';
import '../../fields/photos/photos.css';
import './import.css';
import { rich } from '../../language/rich.tsx';
import { say, t } from '../../language/t.ts';

interface ImportDialogProps {
  readonly resource: Resource;
  readonly rows: readonly PendingRow[];
  readonly onClose: () => void;
}

/** Imports a CSV file: choose it with the files its lines name, preview it, then save it through the outbox. */
export default function ImportDialog({ resource, rows, onClose }: ImportDialogProps) {
  const administrator = useAdministrator();
  const [files, setFiles] = useState<ReadonlyMap<string, File>>(new Map());
  const [plan, setPlan] = useState<ImportPlan>();
  const [known, setKnown] = useState<readonly Row[]>([]);
  const [done, setDone] = useState<number>();
  const { lines, fixed, fix, fixAll, fill, leaveOut, startAnew } = useLines(resource, plan);
  const stopped = useRef(false);
  const busy = done !== undefined;
  // A reload during an import would leave it unclear which lines were saved.
  useUnsaved(busy || fixed);
  const leave = useGuardedClose(busy || fixed, onClose);
  const counts = countLines(lines);
  const ready = counts.created + counts.changed;

  const choices = useRef(0);
  const tableBefore = useRef<File>(undefined);
  const choose = async (chosen: readonly File[]) => {
    choices.current += 1;
    const number = choices.current;
    const stands = () => number === choices.current;
    const all = withChosen(files, chosen);
    setFiles(all);
    // The previous plan must not be imported while the corrected file is being read.
    setPlan(undefined);
    const table = [...all.values()].findLast((file) => /\.(csv|tsv|txt)$/i.test(file.name));
    if (table === undefined) return;
    const text = await table.arrayBuffer().then(decodeCsv, () => undefined);
    if (text === undefined && stands()) notify(unreadable(table), { kind: 'error' });
    if (text === undefined || !stands()) return;
    const ids = new Set(importedIds(text));
    const concerned = await completeRows(
      resource,
      rows.filter((row) => ids.has(row.recordId)),
    );
    if (!stands()) return;
    // Choosing pictures later keeps the saved lines and fixes of the same CSV file.
    if (table !== tableBefore.current) startAnew();
    tableBefore.current = table;
    setKnown(concerned);
    setPlan(planImport(resource, text, concerned, new Set(all.keys())));
  };
  const save = async () => {
    stopped.current = false;
    setDone(0);
    const good = lines.filter(isReady);
    const job = { resource, files, rows: known, administrator, onProgress: setDone, isStopped: () => stopped.current };
    const { saved, problems } = await saveImport(good, job);
    if (saved.length > 0) notify(savedWords(saved.length), { kind: 'done' });
    for (const problem of problems) notify(problem, { kind: 'error' });
    // Lines that were not saved stay, to be fixed and imported.
    if (saved.length === lines.filter(({ unchanged }) => unchanged === undefined).length) return onClose();
    leaveOut(saved);
    return setDone(undefined);
  };
  const started = plan !== undefined && lines.length < plan.lines.length;

  return (
    <Dialog open onClose={() => !busy && leave()} maxWidth="md" fullWidth aria-labelledby="import-title">
      <DialogTitle id="import-title">{t('Import {what}', { what: say(resource.label.many) })}</DialogTitle>
      <DialogContent>
        <p className="import-help">
          {rich(
            'A CSV file whose first line names the columns: {columns}. A line with an {id} updates that record; a line without one creates a new record.',
            { columns: columnNames(resource), id: <code>id</code> },
          )}
          {` ${fileHelp(resource)}`}
          {choiceHelp(resource)}
        </p>
        <Button
          color="inherit"
          variant="outlined"
          startIcon={<DownloadIcon />}
          onClick={() =>
            download(new Blob([templateCsv(resource)], { type: 'text/csv' }), `${resource.name}-template.csv`)
          }
        >
          {t('Template')}
        </Button>
        <div className="pick-zone">
          <input
            type="file"
            multiple
            aria-label={t('CSV file and the files it names')}
            onChange={(event) => void told(choose(emptied(event.target)))}
          />
          <UploadIcon aria-hidden />
          <span aria-hidden>
            {files.size === 0 ? t('Choose the CSV file and the files it names') : t('Choose more files')}
          </span>
          <small aria-hidden>{[...files.keys()].join(', ')}</small>
        </div>
        {plan !== undefined && (
          <ImportPreview
            key={plan.lines.length - lines.length}
            {...{ resource, counts }}
            plan={{ ...plan, lines }}
            onFix={fix}
            onFill={fixAll}
            onFillFiles={(field, chosen) => {
              if (chosen.length === 0) return;
              setFiles(withChosen(files, chosen));
              fill(
                field,
                chosen.map(({ name }) => name),
              );
            }}
          />
        )}
      </DialogContent>
      <DialogActions>
        {busy && <Progress done={done} total={ready} />}
        {busy && (
          <Button color="inherit" onClick={() => void (stopped.current = true)}>
            {t('Stop')}
          </Button>
        )}
        <Button color="inherit" disabled={busy} onClick={leave}>
          {started ? t('Close') : t('Cancel')}
        </Button>
        <Button variant="contained" disabled={ready === 0} loading={busy} onClick={() => void save()}>
          {ready === 0 ? t('Import') : t('Import {count, plural, one {# line} other {# lines}}', { count: ready })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Progress({ done, total }: { done: number; total: number }) {
  return (
    <label className="import-progress">
      <span>{t('{number} of {count}', { number: done, count: total })}</span>
      <progress value={done} max={total} />
    </label>
  );
}

/** The lines still to be saved, with their fixes. */
function useLines(resource: Resource, plan: ImportPlan | undefined) {
  const [saved, setSaved] = useState<ReadonlySet<number>>(new Set());
  const [fixes, setFixes] = useState<Readonly<Record<number, Values>>>({});
  const [fills, setFills] = useState<Fills>({});
  const lines = (plan?.lines ?? [])
    .filter(({ line }) => !saved.has(line))
    .map((line) => withFills(line, fills))
    .map((line) => (fixes[line.line] === undefined ? line : withFixes(resource, line, fixes[line.line] ?? {})));
  return {
    lines,
    fixed: Object.keys(fills).length > 0 || lines.some(({ line }) => fixes[line] !== undefined),
    fix: ({ line }: ImportLine, field: string, value: string) =>
      setFixes({ ...fixes, [line]: { ...fixes[line], [field]: value } }),
    fixAll: (wrong: readonly ImportLine[], field: string, value: string) =>
      setFixes({
        ...fixes,
        ...Object.fromEntries(wrong.map(({ line }) => [line, { ...fixes[line], [field]: value }])),
      }),
    fill: (field: string, names: readonly string[]) => setFills({ ...fills, [field]: names }),
    leaveOut: (numbers: readonly number[]) => setSaved(new Set([...saved, ...numbers])),
    startAnew: () => {
      setSaved(new Set());
      setFixes({});
      setFills({});
    },
  };
}

function savedWords(count: number): string {
  return isOnline(useConnection.getState())
    ? t('{count, plural, one {# change} other {# changes}} saved on this device and being sent.', { count })
    : t(
        '{count, plural, one {# change} other {# changes}} saved on this device. Will be sent when the connection returns.',
        {
          count,
        },
      );
}

/** A browser revokes a picked file that is modified afterwards. */
function unreadable({ name }: File): string {
  return t('“{name}” can’t be read. It may have changed since you chose it. Choose it again.', { name });
}

/** Adds files by name. A file chosen again replaces the earlier one and moves to the end. */
function withChosen(files: ReadonlyMap<string, File>, chosen: readonly File[]): ReadonlyMap<string, File> {
  const all = new Map(files);
  for (const file of chosen) {
    all.delete(file.name);
    all.set(file.name, file);
  }
  return all;
}

function columnNames(resource: Resource): string {
  return resource.fields
    .filter(isValue)
    .map((field) => field.name)
    .join(', ');
}

function fileHelp(resource: Resource): string {
  const names = resource.fields.filter(isAttachment).map((field) => field.name);
  if (names.length === 1) {
    return t('New records need files: choose them too, and name them in the column {name}, separated by semicolons.', {
      name: String(names[0]),
    });
  }
  return t('New records need files: choose them too, and name them in the columns {names}, separated by semicolons.', {
    names: names.join(t(' and ')),
  });
}

function choiceHelp(resource: Resource): string {
  const choices = resource.fields.filter((field) => field.kind === 'choice');
  return choices
    .map(({ name, options }) => ` ${t('The column {name} takes {names}.', { name, names: options.join(t(' or ')) })}`)
    .join('');
}
