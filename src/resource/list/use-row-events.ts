import { type MouseEvent, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';

interface RowEvents {
  /** `range` is true while Shift is held. */
  readonly onSelect: (recordId: string, range: boolean) => void;
  readonly onDelete: (row: PendingRow) => void;
  readonly onUndo: (row: PendingRow) => void;
  /** Opens the menu of a row at its button. */
  readonly onMenu: (row: PendingRow, button: HTMLElement) => void;
  /** Rows are selected. A tap then selects too, as in a mail app. */
  readonly selecting?: boolean;
}

/** A second click within this time edits the cell. Milliseconds. */
const SECOND_PRESS = 250;

/**
 * One listener for all rows. A click on a control runs its action, a click on a link navigates without a page load, and any other
 * click opens the record.
 */
export function useRowEvents(resource: Resource, rows: readonly PendingRow[], events: RowEvents) {
  const navigate = useNavigate();
  const opening = useRef(0);
  useEffect(() => () => clearTimeout(opening.current), []);
  const choose = (recordId: string, range: boolean) => {
    events.onSelect(recordId, range);
    // a Shift-click also selects text in the browser
    if (range) window.getSelection()?.empty();
  };
  return (event: MouseEvent<HTMLElement>) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey) return;
    clearTimeout(opening.current);
    const target = event.target as HTMLElement;
    const link = target.closest('a');
    const selects =
      target.closest('[data-act=select], .col-select') !== null ||
      (events.selecting === true && isTouch(event) && target.closest('[data-act]') === null);
    if (event.shiftKey && !selects) return;
    const recordId = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
    const row = rows.find((candidate) => candidate.recordId === recordId);
    if (row === undefined || recordId === undefined) return;
    if (link !== null) {
      event.preventDefault();
      if (selects) return choose(recordId, false);
      void navigate(link.getAttribute('href') ?? '');
      return;
    }
    const control = target.closest<HTMLElement>('[data-act]');
    const act = control?.dataset['act'];
    if (act === 'delete') events.onDelete(row);
    else if (act === 'undo') events.onUndo(row);
    else if (act === 'menu' && control !== null) events.onMenu(row, control);
    else if (selects) choose(recordId, event.shiftKey);
    else if (!hasSelectedText()) {
      const open = () => void navigate(routesOf(resource).edit(recordId));
      if (target.closest('[data-cell]') === null || isTouch(event)) open();
      else if (event.detail < 2) opening.current = window.setTimeout(open, SECOND_PRESS);
    }
  };
}

/** Touch edits a cell by long press, so a tap opens the record at once. */
function isTouch({ nativeEvent }: MouseEvent): boolean {
  return 'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch';
}

/** Selecting text with the mouse must not open the record. */
function hasSelectedText(): boolean {
  return (window.getSelection()?.toString() ?? '') !== '';
}
