import { Suspense, useEffect } from 'react';
import { createPortal } from 'react-dom';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import type { Resource } from '../../domain/resource.ts';
import { late, usePrefetch } from '../../ui/late.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import { editedAlone } from './edited-fields.ts';
import { followLongPress } from './long-press.ts';

const CellEditor = late(() => import('./cell-editor.tsx'));

const LATE = [CellEditor];

/** The value being edited, and the element that shows it. */
export interface EditedCell {
  readonly row: PendingRow;
  readonly field: string;
  readonly anchor: HTMLElement;
}

interface CellEditingProps {
  readonly resource: Resource;
  readonly rows: readonly PendingRow[];
  /** The element around the rows. */
  readonly body: HTMLElement | null;
  readonly edited: EditedCell | undefined;
  readonly onEdit: (edited: EditedCell | undefined) => void;
  /** Called after a long press on a row without cells. */
  readonly onRest: (row: PendingRow, at: HTMLElement) => void;
  /** Called with the record whose value was saved. */
  readonly onSaved: (recordId: string) => void;
}

/** Opens the cell editor on a double click, Enter or a long press. */
export default function CellEditing(props: CellEditingProps) {
  const { resource, body, edited, onEdit, onSaved } = props;
  usePrefetch(LATE);
  useGestures(body, props);
  const field = edited && editedAlone(resource).find(({ name }) => name === edited.field);
  if (edited === undefined || field === undefined) return null;
  const close = (saved: boolean) => {
    onEdit(undefined);
    if (saved) onSaved(edited.row.recordId);
  };
  return (
    <Suspense fallback={null}>
      {createPortal(
        <CellEditor
          key={`${edited.row.recordId} ${field.name}`}
          {...edited}
          {...{ resource, field }}
          onClose={close}
        />,
        document.body,
      )}
    </Suspense>
  );
}

function useGestures(body: HTMLElement | null, props: CellEditingProps): void {
  const latest = useLatest(props);
  useEffect(() => {
    if (body === null) return undefined;
    const begin = (target: HTMLElement) => {
      const { rows, onEdit, onRest } = latest.current;
      const at = target.closest<HTMLElement>('[data-row]');
      const row = rows.find(({ recordId }) => recordId === at?.dataset['row']);
      if (at === null || row === undefined || row.pending === 'delete') return;
      const cell = target.closest<HTMLElement>('[data-cell]');
      if (cell !== null) onEdit({ row, field: cell.dataset['cell'] ?? '', anchor: cell });
      else if (at.closest('table') === null) onRest(row, at);
    };
    const press = (event: Event) => begin(event.target as HTMLElement);
    const key = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== 'Enter' || target.dataset['cell'] === undefined) return;
      event.preventDefault();
      begin(target);
    };
    const stop = followLongPress(body, begin);
    body.addEventListener('dblclick', press);
    body.addEventListener('keydown', key);
    // Marks the rows as editable: they render before the editor has loaded.
    body.setAttribute('data-editable', '');
    return () => {
      stop();
      body.removeAttribute('data-editable');
      body.removeEventListener('dblclick', press);
      body.removeEventListener('keydown', key);
    };
  }, [body, latest]);
}
