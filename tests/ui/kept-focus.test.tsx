import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { createPortal } from 'react-dom';
import { afterEach, expect, test } from 'vitest';
import { useKeptFocus } from '../../src/ui/use-kept-focus.ts';

interface ListProps {
  readonly keys: readonly string[];
  /** Those of them whose deletion waits. */
  readonly leaving?: readonly string[];
  /** Those of them that cannot be moved now. */
  readonly held?: readonly string[];
  /** Those of them that are out of sight. */
  readonly undrawn?: readonly string[];
  readonly bar?: boolean;
}

function List({ keys, leaving = [], held = [], undrawn = [], bar = false }: ListProps) {
  useKeptFocus(keys);
  return (
    <>
      {bar && <button type="button">Delete selected</button>}
      <ul>
        {keys
          .filter((key) => !undrawn.includes(key))
          .map((key) => (
            <li key={key} data-row={key}>
              <a href={`/${key}`}>{key}</a>
              <input type="checkbox" aria-label={`Select ${key}`} />
              {leaving.includes(key) ? (
                <button type="button">Undo {key}</button>
              ) : (
                <>
                  <a href={`/${key}/edit`}>Edit {key}</a>
                  <button type="button">Delete {key}</button>
                  <button type="button" disabled={held.includes(key)}>
                    Move {key}
                  </button>
                </>
              )}
            </li>
          ))}
      </ul>
    </>
  );
}

function Page({ dialog = false, ...list }: ListProps & { dialog?: boolean }) {
  return (
    <>
      <nav>
        <a href="/other">Elsewhere</a>
      </nav>
      <main tabIndex={-1}>
        <h1>Partners</h1>
        {list.keys.length > 0 && <List {...list} />}
      </main>
      {dialog &&
        createPortal(
          <div role="alertdialog">
            <button type="button">Discard</button>
          </div>,
          document.body,
        )}
    </>
  );
}

afterEach(cleanup);

const focus = (role: 'link' | 'button', name: string) => screen.getByRole(role, { name }).focus();
const focused = () => document.activeElement?.textContent;

test('focuses the row that replaces a removed one, or else the one before it', async () => {
  const { rerender } = render(<Page keys={['a', 'b', 'c']} />);
  focus('button', 'Delete b');
  rerender(<Page keys={['a', 'c']} />);
  await waitFor(() => expect(focused()).toBe('c'));
  // A link that gets the focus is still reached by Tab.
  expect(document.activeElement?.hasAttribute('tabindex')).toBe(false);
  rerender(<Page keys={['a']} />);
  await waitFor(() => expect(focused()).toBe('a'));
});

test('focuses the heading when the last row is removed', async () => {
  const { rerender } = render(<Page keys={['a']} />);
  focus('button', 'Delete a');
  rerender(<Page keys={[]} />);
  await waitFor(() => expect(focused()).toBe('Partners'));
});

test('keeps the focus in a row whose buttons change', async () => {
  const { rerender } = render(<Page keys={['a', 'b']} />);
  focus('button', 'Delete a');
  rerender(<Page keys={['a', 'b']} leaving={['a']} />);
  await waitFor(() => expect(focused()).toBe('Undo a'));
});

test('moves the focus after a dialog whose row was removed meanwhile', async () => {
  const { rerender } = render(<Page keys={['a', 'b']} />);
  focus('button', 'Delete a');
  rerender(<Page keys={['a', 'b']} dialog />);
  focus('button', 'Discard');
  rerender(<Page keys={['b']} dialog />);
  await Promise.resolve();
  expect(focused()).toBe('Discard');
  rerender(<Page keys={['b']} />);
  await waitFor(() => expect(focused()).toBe('b'));
});

test('focuses the heading when the selection bar disappears', async () => {
  const { rerender } = render(<Page keys={['a', 'b']} bar />);
  focus('button', 'Delete selected');
  rerender(<Page keys={['b']} />);
  await waitFor(() => expect(focused()).toBe('Partners'));
});

test('focuses the sheet when a control in it disappears, and the heading when the sheet does', async () => {
  const page = (inside: readonly string[] | undefined) => (
    <main tabIndex={-1}>
      <h1>Partners</h1>
      <List keys={['a']} />
      {inside && (
        <section tabIndex={-1} data-sheet>
          {inside.map((name) => (
            <button key={name} type="button">
              {name}
            </button>
          ))}
        </section>
      )}
    </main>
  );
  const { rerender } = render(page(['More', 'Close']));
  focus('button', 'More');
  rerender(page(['Close']));
  await waitFor(() => expect(document.activeElement?.tagName).toBe('SECTION'));
  focus('button', 'Close');
  rerender(page(undefined));
  await waitFor(() => expect(focused()).toBe('Partners'));
});

test('does not take the focus from elsewhere, nor move it when a row is only out of sight', async () => {
  const { rerender } = render(<Page keys={['a', 'b', 'c']} />);
  focus('button', 'Delete a');
  rerender(<Page keys={['a', 'b', 'c']} undrawn={['a']} />);
  await Promise.resolve();
  expect(document.activeElement).toBe(document.body);
  focus('button', 'Delete b');
  focus('link', 'Elsewhere');
  rerender(<Page keys={['c']} />);
  await Promise.resolve();
  expect(focused()).toBe('Elsewhere');
});

test('uses the current position of a moved row', async () => {
  const { rerender } = render(<Page keys={['a', 'b', 'c', 'd']} />);
  focus('button', 'Delete a');
  rerender(<Page keys={['b', 'c', 'a', 'd']} />);
  rerender(<Page keys={['b', 'c', 'd']} />);
  await waitFor(() => expect(focused()).toBe('d'));
});

test('focuses the next row, not the one after it', async () => {
  const { rerender } = render(<Page keys={['a', 'b', 'c', 'd']} />);
  focus('button', 'Delete b');
  rerender(<Page keys={['a', 'c', 'd']} />);
  await waitFor(() => expect(focused()).toBe('c'));
});

test('a control that cannot be pressed is not given the focus', async () => {
  const { rerender } = render(<Page keys={['a']} />);
  focus('button', 'Move a');
  rerender(<Page keys={['b', 'a']} leaving={['a']} />);
  await waitFor(() => expect(focused()).toBe('Undo a'));
  rerender(<Page keys={['a']} held={['a']} />);
  await waitFor(() => expect(focused()).not.toBe(''));
  expect((document.activeElement as HTMLButtonElement | null)?.disabled).not.toBe(true);
  expect(focused()).toBe('Edit a');
});

test('keeps the focus on the same control of a redrawn row, even if it is no button', async () => {
  const { rerender } = render(<Page keys={['a', 'b']} />);
  screen.getByRole('checkbox', { name: 'Select a' }).focus();
  rerender(<Page keys={['a', 'b']} undrawn={['a']} />);
  rerender(<Page keys={['a', 'b']} />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Select a' })));
});
