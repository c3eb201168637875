import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useLookup } from '../../api/reads.ts';
import type { ValueField } from '../../domain/fields.ts';
import { type Resource, textOf } from '../../domain/resource.ts';
import { ValueFieldInput, type ValueFieldInputProps } from '../../fields/value-field.tsx';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { notify } from '../../stores/notifications.ts';
import { useUnsaved } from '../../stores/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { useOpen } from '../../ui/use-open.ts';
import { tellResult } from '../form/use-save.ts';
import { conflictPath } from '../paths.ts';
import { told } from '../told.ts';
import { useAdministrator } from '../use-administrator.ts';
import type { Row } from './list-rules.ts';
import { type CellResult, hintFor, saveCell } from './save-cell.ts';
import './cell-editor.css';
import { msg, say, t } from '../../language/t.ts';
import { sayTitle } from '../say-title.ts';

interface CellEditorProps {
  readonly resource: Resource;
  readonly row: Row;
  readonly field: ValueField;
  /** The element that the editor covers. It gets the focus back. */
  readonly anchor: HTMLElement;
  /** `saved`: the value is stored on this device or already sent. */
  readonly onClose: (saved: boolean) => void;
}

/** Edits one value of a record in its list. Enter saves, Escape cancels. */
export default function CellEditor(props: CellEditorProps) {
  const { resource, row, field, anchor } = props;
  const { value, change, problem, saving, save, close } = useCellEdit(props);
  const form = useRef<HTMLFormElement>(null);
  const [place] = useState(() => placeOver(anchor));
  useEffect(() => enterControl(form.current), []);
  const typed = value !== textOf(row[field.name]);
  useUnsaved(typed && !saving);
  useLeaving(form, !typed && !saving, close);
  const press = (event: KeyboardEvent) => {
    // keep keys from the list's navigation and the page's shortcuts
    event.stopPropagation();
    if (event.key === 'Escape') close();
  };
  return (
    // The controls inside are keyboard-accessible themselves; this element only listens for their keys.
    <div role="presentation" onKeyDown={press}>
      <form
        ref={form}
        className="cell-editor"
        style={place}
        aria-label={t('{label} of {title}', {
          label: say(field.label),
          title: sayTitle(resource, { ...row, id: row.recordId }),
        })}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void save();
        }}
      >
        <CellInput
          field={field}
          value={value}
          values={Object.fromEntries(resource.fields.map(({ name }) => [name, textOf(row[name])]))}
          onChange={change}
          error={problem}
        />
        <div className="cell-actions">
          <Button type="submit" variant="contained" disabled={saving}>
            {t('Save')}
          </Button>
          <Button color="inherit" onClick={close}>
            {t('Cancel')}
          </Button>
        </div>
      </form>
    </div>
  );
}

/** The typed value, its error and the functions that save or cancel it. */
function useCellEdit({ resource, row, field, anchor, onClose }: CellEditorProps) {
  const navigate = useNavigate();
  const administrator = useAdministrator();
  const online = useConnection(isOnline);
  const [value, setValue] = useState(() => textOf(row[field.name]));
  const [problem, setProblem] = useState<string>();
  const [saving, setSaving] = useState(false);
  // Leaving the list closes the editor too: a change refused after that must stay in the outbox.
  const { isOpen, close } = useOpen();
  const end = (saved: boolean) => {
    close();
    onClose(saved);
    anchor.focus();
  };
  const settle = (result: CellResult) => {
    if (result.kind === 'unknown') return setProblem(NOT_HERE);
    if (result.kind === 'unchanged') return end(false);
    if (result.kind === 'conflict') return void navigate(conflictPath(result.entryId));
    if (result.kind === 'returned') return setProblem(result.errors[field.name]?.[0] ?? result.message);
    tellResult(result);
    if (result.kind !== 'not-stored') end(true);
    return undefined;
  };
  /** Reports the outcome of a value whose editor was closed in the meantime. */
  const tellClosed = (result: CellResult) => {
    if (result.kind === 'unchanged') return;
    if (result.kind === 'unknown') return notify(say(NOT_HERE), { kind: 'error' });
    if (result.kind !== 'conflict') return tellResult(result);
    notify(t('{label} has changed since. Compare both versions in the Outbox.', { label: say(field.label) }), {
      kind: 'info',
    });
  };
  const save = async () => {
    // Online, the server validates at once, and its answer is the one that counts.
    const hint = online ? undefined : hintFor({ field, value });
    if (hint !== undefined || saving) return setProblem(hint);
    setSaving(true);
    const result = await told(saveCell({ resource, row, field, value }, administrator, isOpen));
    // A conflict leads away: what is in the outbox is not unsaved any more.
    if (result?.kind !== 'conflict') setSaving(false);
    if (result === undefined) return undefined;
    return isOpen() ? settle(result) : tellClosed(result);
  };
  const change = (next: string) => {
    setValue(next);
    setProblem(undefined);
  };
  return { value, change, problem, saving, save, close: () => end(false) };
}

const NOT_HERE = msg('Open the record once with a connection: it isn’t fully on this device yet.');

function CellInput(props: Omit<ValueFieldInputProps, 'lookup'>) {
  const { field } = props;
  return field.kind === 'lookup' ? <LookupCell {...props} field={field} /> : <ValueFieldInput {...props} />;
}

function LookupCell(props: Omit<ValueFieldInputProps, 'lookup'> & { field: Extract<ValueField, { kind: 'lookup' }> }) {
  return <ValueFieldInput {...props} lookup={useLookup(props.field.lookup)} />;
}

/** Distance to the edge of the window, and the editor's width as in its style sheet. CSS pixels. */
const EDGE = 12;
const WIDTH = 340;

/** The page position that covers the edited element and stays within the window. */
function placeOver(anchor: HTMLElement): { readonly left: number; readonly top: number } {
  const over = anchor.getBoundingClientRect();
  const { clientWidth } = document.documentElement;
  const left = Math.max(EDGE, Math.min(over.left, clientWidth - WIDTH - EDGE));
  return { left: left + window.scrollX, top: over.top + window.scrollY - EDGE };
}

/** Focuses the control and selects its text, so that typing replaces the old value. */
function enterControl(form: HTMLElement | null): void {
  const control = form?.querySelector<HTMLElement>('.control');
  control?.focus();
  if (control instanceof HTMLInputElement) control.select();
}

/** A press outside closes an unchanged editor. It does not discard typed text. */
function useLeaving(form: { readonly current: HTMLElement | null }, plain: boolean, close: () => void): void {
  useEffect(() => {
    if (!plain) return undefined;
    const leave = ({ target }: Event) => {
      if (target instanceof Node && form.current?.contains(target) === false) close();
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  });
}
