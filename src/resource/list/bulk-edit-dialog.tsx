import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useEffect, useRef, useState } from 'react';
import { useLookup } from '../../api/reads.ts';
import type { ValueField } from '../../domain/fields.ts';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { type Resource, textOf } from '../../domain/resource.ts';
import { ValueFieldInput } from '../../fields/value-field.tsx';
import { valueWords } from '../../fields/value-words.ts';
import { formatCount } from '../../ui/format.ts';
import { useUnsaved } from '../../stores/unsaved.ts';
import { useGuardedClose } from '../../ui/use-guarded-close.ts';
import { ListSkeleton } from '../../ui/skeletons.tsx';
import { completeRows } from '../csv/whole-rows.ts';
import { told } from '../told.ts';
import { useAdministrator } from '../use-administrator.ts';
import { type BulkChange, bulkChanges, isWholeRow, rowsAllowing, unlikeOthers } from './bulk-edit.ts';
import { bulkFields } from './edited-fields.ts';
import type { Row } from './list-rules.ts';
import { saveBulk } from './save-bulk.ts';
import { hintFor } from './save-cell.ts';
import './bulk-edit.css';
import { say, t } from '../../language/t.ts';

interface BulkEditDialogProps {
  readonly resource: Resource;
  readonly rows: readonly PendingRow[];
  /** `saved`: the edits are on this device. */
  readonly onClose: (saved: boolean) => void;
}

/** Sets one field of several records to one value, with a preview. */
export default function BulkEditDialog({ resource, rows, onClose }: BulkEditDialogProps) {
  const administrator = useAdministrator();
  const fields = bulkFields(resource).filter((one) => parentOf(one, rows) !== null);
  const known = useWholeRows(resource, rows);
  const [field, setField] = useState(() => fields.find(({ name }) => resource.facts.includes(name)) ?? fields[0]);
  const [value, setValue] = useState('');
  /** What the server would refuse; set when a Save stopped to warn. */
  const [warned, setWarned] = useState<string>();
  const content = useRef<HTMLDivElement>(null);
  const [saving, setSaving] = useState(false);
  const whole = known?.filter((row) => isWholeRow(resource, row)) ?? [];
  const missing = known === undefined ? 0 : known.length - whole.length;
  const dependent = dependentOn(resource, field);
  const { options } = useLookup(dependent?.lookup ?? 'gti-brands', dependent === undefined ? '' : value);
  const allowing =
    field === undefined || dependent === undefined ? whole : rowsAllowing(resource, whole, field.name, options);
  const changes = field === undefined || value === '' ? [] : bulkChanges(resource, allowing, field.name, value);
  const unfit = value === '' ? 0 : whole.length - allowing.length;
  const type = (next: string) => {
    setValue(next);
    setWarned(undefined);
  };
  useUnsaved(value !== '' && !saving);
  const leave = useGuardedClose(value !== '' && !saving, () => onClose(false));
  const save = async () => {
    if (field === undefined) return;
    // Nobody waits for the answers, and each record would be refused.
    const example = unlikeOthers(whole, field.name, value);
    const hint =
      hintFor({ field, value }) ??
      (example === undefined ? undefined : t('The others have a unit, as in “{example}”.', { example }));
    if (hint !== warned) {
      setWarned(hint);
      return enterValue(content.current);
    }
    setSaving(true);
    if (await saveBulk(resource, field.name, changes, administrator)) onClose(true);
    else setSaving(false);
  };
  return (
    <Dialog
      open
      onClose={() => !saving && leave()}
      fullWidth
      maxWidth="sm"
      aria-labelledby="bulk-title"
      slotProps={{ transition: { onEntered: () => enterValue(content.current) } }}
    >
      <DialogTitle id="bulk-title">{t('Edit {what}', { what: countOf(resource, rows.length) })}</DialogTitle>
      <DialogContent className="bulk" ref={content}>
        <label>
          {t('Field')}
          <select
            className="control"
            value={field?.name}
            onChange={(event) => {
              setField(fields.find(({ name }) => name === event.target.value));
              type('');
            }}
          >
            {fields.map(({ name, label }) => (
              <option key={name} value={name}>
                {say(label)}
              </option>
            ))}
          </select>
        </label>
        {field !== undefined && (
          <NewValue key={field.name} field={field} rows={rows} value={value} hint={warned} onChange={type} />
        )}
        {missing > 0 && (
          <p>
            {t('{count, plural, one {# record isn’t} other {# records aren’t}} on this device and won’t be changed.', {
              count: missing,
            })}
          </p>
        )}
        {unfit > 0 && (
          <p>
            {t(
              '{count, plural, one {# record has} other {# records have}} a {label} that doesn’t fit and won’t be changed.',
              {
                count: unfit,
                label: say(dependent?.label.toLowerCase() ?? ''),
              },
            )}
          </p>
        )}
        {known === undefined ? <ListSkeleton rows={3} /> : <Preview field={field} changes={changes} />}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" disabled={saving} onClick={leave}>
          {t('Cancel')}
        </Button>
        <Button variant="contained" disabled={changes.length === 0} loading={saving} onClick={() => void save()}>
          {saveLabel(changes.length, warned !== undefined)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Focuses the value: the preselected field is usually the right one. */
function enterValue(content: HTMLElement | null): void {
  content?.querySelectorAll<HTMLElement>('.control')[1]?.focus();
}

function saveLabel(count: number, warned: boolean): string {
  if (warned) return t('Save anyway');
  return count === 0 ? t('Save') : t('Save {count}', { count });
}

type Lookup = Extract<ValueField, { kind: 'lookup' }>;

/** The lookup whose options depend on a field. */
function dependentOn(resource: Resource, field: ValueField | undefined): Lookup | undefined {
  return resource.fields.find((one): one is Lookup => one.kind === 'lookup' && one.dependsOn === field?.name);
}

/** The value that the options of a field depend on. Undefined if they depend on none, null if the records have several. */
function parentOf(field: ValueField, rows: readonly Row[]): string | undefined | null {
  if (field.kind !== 'lookup' || field.dependsOn === undefined) return undefined;
  const { dependsOn } = field;
  const values = new Set(rows.map((row) => textOf(row[dependsOn])));
  return values.size === 1 ? [...values][0] : null;
}

interface NewValueProps {
  readonly field: ValueField;
  readonly rows: readonly Row[];
  readonly value: string;
  readonly hint: string | undefined;
  readonly onChange: (value: string) => void;
}

function NewValue({ field, rows, ...props }: NewValueProps) {
  return field.kind === 'lookup' ? (
    <LookupValue field={field} rows={rows} {...props} />
  ) : (
    <ValueFieldInput field={field} values={{}} {...props} />
  );
}

function LookupValue({ field, rows, ...props }: NewValueProps & { field: Lookup }) {
  const parent = parentOf(field, rows) ?? undefined;
  const lookup = useLookup(field.lookup, parent);
  const values = field.dependsOn === undefined || parent === undefined ? {} : { [field.dependsOn]: parent };
  return <ValueFieldInput field={field} values={values} lookup={lookup} {...props} />;
}

/** What would change, per record. */
function Preview({ field, changes }: { field: ValueField | undefined; changes: readonly BulkChange[] }) {
  if (changes.length === 0) return null;
  return (
    <ul aria-label={t('Preview')}>
      {changes.map(({ row, title, before, after }) => (
        <li key={row.recordId}>
          <strong>{title}</strong>
          <span>
            <del>{before === '' ? t('(empty)') : valueWords(field, before)}</del> <ins>{valueWords(field, after)}</ins>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The records as completely as this device or the server knows them. Undefined while they are being read. */
function useWholeRows(resource: Resource, rows: readonly PendingRow[]): readonly Row[] | undefined {
  const [opened] = useState(rows);
  const [known, setKnown] = useState<readonly Row[]>();
  useEffect(() => {
    let wanted = true;
    const read = async () => {
      const whole = await completeRows(resource, opened);
      if (wanted) setKnown(whole);
    };
    void told(read());
    return () => {
      wanted = false;
    };
  }, [resource, opened]);
  return known;
}

function countOf({ label: { noun } }: Resource, count: number): string {
  return formatCount(count, noun.one, noun.many);
}
