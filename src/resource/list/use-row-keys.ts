import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The arrow keys go from row to row, staying on the same control. */
export function onRowKeys(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const target = event.target as HTMLElement;
  const row = target.closest<HTMLElement>('[data-row]');
  if (step === undefined || row === null || event.altKey || event.metaKey || event.ctrlKey) return;
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const next = rows[rows.indexOf(row) + step];
  const place = controlsOf(row).indexOf(target);
  const controls = next === undefined ? [] : controlsOf(next);
  const control = controls[Math.min(place, controls.length - 1)];
  if (control === undefined) return;
  event.preventDefault();
  control.focus();
}

function controlsOf(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a, input, button')];
}
