import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { createPortal } from 'react-dom';
import type { Resource } from '../../domain/resource.ts';
import { bulkFields } from './edited-fields.ts';

// Loaded when a cell is first edited.
const CellEditor = lazy(() => import('./cell-editor.tsx'));

interface Editing {
  readonly row: PendingRow;
  readonly field: string;
  readonly anchor: HTMLElement;
}

interface CellEditing {
  readonly open: (row: PendingRow, field: string, anchor: HTMLElement) => void;
  readonly element: ReactNode;
}

/** The editor of a single cell, where one is open. `onSaved` hears which record got its value. */
export function useCellEditor(resource: Resource, onSaved: (recordId: string) => void): CellEditing {
  const [editing, setEditing] = useState<Editing>();
  const field = editing && bulkFields(resource).find(({ name }) => name === editing.field);
  const close = (saved: boolean) => {
    setEditing(undefined);
    if (saved && editing !== undefined) onSaved(editing.row.recordId);
  };
  return {
    open: (row, name, anchor) => setEditing({ row, field: name, anchor }),
    element: editing !== undefined && field !== undefined && (
      <Suspense fallback={null}>
        {createPortal(
          <CellEditor
            key={`${editing.row.recordId} ${field.name}`}
            {...editing}
            {...{ resource, field }}
            onClose={close}
          />,
          document.body,
        )}
      </Suspense>
    ),
  };
}
