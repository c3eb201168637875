import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Popover } from '../../src/ui/popover.tsx';

/** A sheet below its button, beside another control of the page. */

const closed = vi.fn<() => void>();

function Page() {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [close] = useState(() => () => {
    closed();
    setOpen(false);
  });
  return (
    <>
      <button ref={anchor} type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Popover open={open} onClose={close} anchor={anchor} label="Choices">
        <button type="button">Inside</button>
      </Popover>
      <button type="button">Elsewhere</button>
    </>
  );
}

beforeEach(() => {
  render(<Page />);
  fireEvent.click(button('Open'));
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

const button = (name: string) => screen.getByRole('button', { name });
const sheet = () => screen.queryByRole('region', { name: 'Choices' });
const focused = () => document.activeElement;

test('takes the focus when it opens', () => {
  expect(focused()).toBe(sheet());
});

test('Escape closes it and returns the focus to its button; any other key does not', () => {
  fireEvent.keyDown(document, { key: 'Enter' });
  expect(closed).not.toHaveBeenCalled();
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(sheet()).toBeNull();
  expect(focused()).toBe(button('Open'));
});

test.each([
  ['a press', (target: HTMLElement) => fireEvent.pointerDown(target)],
  ['the focus', (target: HTMLElement) => fireEvent.focusIn(target)],
])('%s outside closes it; one within, or on its button, does not', (_how, reach) => {
  reach(button('Inside'));
  reach(button('Open'));
  expect(closed).not.toHaveBeenCalled();
  reach(button('Elsewhere'));
  expect(sheet()).toBeNull();
});

test('ignores events once closed, and leaves the focus where it is', () => {
  fireEvent.pointerDown(button('Elsewhere'));
  button('Elsewhere').focus();
  fireEvent.pointerDown(button('Elsewhere'));
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(closed).toHaveBeenCalledOnce();
  expect(focused()).toBe(button('Elsewhere'));
});
