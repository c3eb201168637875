import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeyboardEvent } from 'react';
import { onRowKeys } from '../../src/resource/list/use-row-keys.ts';

/** A list of two rows, of which the second has no button. */
const ROWS = `<main><table>
  <tr data-row="1"><td><input id="box-1"><a id="link-1" href="/1"></a><b data-cell="model" id="cell-1" tabindex="-1"></b><button id="last-1"></button></td></tr>
  <tr data-row="2"><td><input id="box-2"><a id="link-2" href="/2"></a></td></tr>
</table></main>`;

beforeEach(() => {
  document.body.innerHTML = ROWS;
  document.body.addEventListener('keydown', hear);
});
afterEach(() => {
  document.body.removeEventListener('keydown', hear);
  document.body.replaceChildren();
});

const hear = (event: Event) => onRowKeys(event as unknown as KeyboardEvent<HTMLElement>);

/** Presses a key on a control. Returns the control with the focus, and whether the page keeps the key. */
function press(id: string, key: string, held: object = {}) {
  const control = document.getElementById(id) as HTMLElement;
  control.focus();
  const isKept = control.dispatchEvent(
    new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held }),
  );
  return [document.activeElement?.id, isKept ? 'kept' : 'taken'];
}

test.each([
  ['ArrowRight', 'link-1', 'cell-1'],
  ['ArrowLeft', 'cell-1', 'link-1'],
  ['ArrowDown', 'link-1', 'link-2'],
  ['ArrowUp', 'link-2', 'link-1'],
  ['ArrowDown', 'last-1', 'link-2'],
])('%s moves from %s to %s', (key, from, to) => {
  expect(press(from, key)).toEqual([to, 'taken']);
});

test.each([
  ['ArrowLeft', 'box-1'],
  ['ArrowRight', 'last-1'],
  ['ArrowUp', 'box-1'],
  ['ArrowDown', 'box-2'],
  ['Home', 'link-2'],
])('%s at %s is left to the page', (key, at) => {
  expect(press(at, key)).toEqual([at, 'kept']);
});

test.each(['altKey', 'ctrlKey', 'metaKey'])('leaves an arrow with %s to the browser', (held) => {
  expect(press('link-1', 'ArrowDown', { [held]: true })).toEqual(['link-1', 'kept']);
});
