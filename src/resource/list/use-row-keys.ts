import type { KeyboardEvent } from 'react';

const UP_AND_DOWN: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
const ALONG: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** The arrow keys go from row to row, staying on the same control, and along a row, over its cells. */
export function onRowKeys(event: KeyboardEvent<HTMLElement>): void {
  const target = event.target as HTMLElement;
  const row = target.closest<HTMLElement>('[data-row]');
  if (row === null || event.altKey || event.metaKey || event.ctrlKey) return;
  const control = onTheWay(event.key, row, target);
  if (control === undefined) return;
  event.preventDefault();
  control.focus();
}

function onTheWay(key: string, row: HTMLElement, target: HTMLElement): HTMLElement | undefined {
  const place = controlsOf(row).indexOf(target);
  const along = ALONG[key];
  if (along !== undefined) return controlsOf(row)[place + along];
  const step = UP_AND_DOWN[key];
  if (step === undefined) return undefined;
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const next = rows[rows.indexOf(row) + step];
  const controls = next === undefined ? [] : controlsOf(next);
  return controls[Math.min(place, controls.length - 1)];
}

function controlsOf(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a, input, button, [data-cell]')];
}
