import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import ActionMenu from '../../src/resource/list/action-menu.tsx';

interface MenuProps {
  readonly labels: readonly string[];
  readonly chosen: string[];
  /** The row of the button has been removed. */
  readonly isGone?: boolean;
}

/** A button with a menu of these items. Records what was chosen. */
function Menu({ labels, chosen, isGone = false }: MenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const actions = labels.map((label) => ({ label, run: () => void chosen.push(label) }));
  return (
    <>
      {!isGone && (
        <button type="button" onClick={({ currentTarget }) => setAnchor(currentTarget)}>
          More
        </button>
      )}
      <ActionMenu actions={actions} anchor={anchor} onClose={() => setAnchor(null)} />
    </>
  );
}

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const focused = () => document.activeElement?.textContent;

test('a menu is operated by keys, and returns the focus to its button', async () => {
  const user = userEvent.setup();
  const chosen: string[] = [];
  render(<Menu labels={['Edit', 'Select', 'Delete']} chosen={chosen} />);
  const more = screen.getByRole('button', { name: 'More' });
  await user.click(more);
  expect(focused()).toBe('Edit');
  await user.keyboard('{ArrowDown}');
  expect(focused()).toBe('Select');
  await user.keyboard('{End}');
  expect(focused()).toBe('Delete');
  await user.keyboard('{ArrowDown}');
  expect(focused()).toBe('Edit');
  await user.keyboard('{ArrowUp}');
  expect(focused()).toBe('Delete');
  await user.keyboard('{Home}');
  expect(focused()).toBe('Edit');
  await user.keyboard('s');
  expect(focused()).toBe('Select');
  await user.keyboard('{Enter}');
  expect(chosen).toEqual(['Select']);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(more);

  for (const key of ['{Escape}', '{Tab}']) {
    await user.click(more);
    await user.keyboard(key);
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(more);
  }
  expect(chosen).toEqual(['Select']);
});

test('a letter moves to the next item that starts with it, and wraps around', async () => {
  const user = userEvent.setup();
  render(<Menu labels={['Select', 'Edit', 'Save']} chosen={[]} />);
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.keyboard('s');
  expect(focused()).toBe('Save');
  await user.keyboard('s');
  expect(focused()).toBe('Select');
});

test('a key that the menu handles does not reach the page', async () => {
  const user = userEvent.setup();
  const heard: string[] = [];
  const hear = ({ key }: KeyboardEvent) => void heard.push(key);
  render(<Menu labels={['Edit', 'Select']} chosen={[]} />);
  await user.click(screen.getByRole('button', { name: 'More' }));
  document.addEventListener('keydown', hear);
  await user.keyboard('{ArrowDown}{F2}{Escape}');
  document.removeEventListener('keydown', hear);
  expect(heard).toEqual(['F2']);
});

test('a press beside a menu closes it and does nothing else', async () => {
  const user = userEvent.setup();
  const chosen: string[] = [];
  render(<Menu labels={['Edit']} chosen={chosen} />);
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(screen.getByRole('menu').parentElement as HTMLElement);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(chosen).toEqual([]);
});

/** A window of 800 × 600 px in which the button is at this place, and the menu 200 × 150 px large. */
function layOut(button: { x: number; y: number }): void {
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(800);
  vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function box(this: Element) {
    return this.matches('.menu') ? new DOMRect(0, 0, 200, 150) : new DOMRect(button.x, button.y, 40, 40);
  });
}

test.each([
  ['below its button', { x: 100, y: 100 }, ['100px', '140px']],
  ['above a button at the bottom', { x: 100, y: 500 }, ['100px', '350px']],
  ['within the window beside a button at the right', { x: 750, y: 100 }, ['588px', '140px']],
  ['within the window beside a button at the left', { x: 0, y: 100 }, ['12px', '140px']],
])('a menu opens %s', async (_, button, place) => {
  layOut(button);
  render(<Menu labels={['Edit']} chosen={[]} />);
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  const { style } = screen.getByRole('menu');
  expect([style.left, style.top]).toEqual(place);
});

test('a menu follows its button when the page scrolls or resizes, and closes when it is removed', async () => {
  const button = { x: 100, y: 100 };
  layOut(button);
  const { rerender } = render(<Menu labels={['Edit']} chosen={[]} />);
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  const { style } = screen.getByRole('menu');
  button.y = 60;
  fireEvent.scroll(document);
  expect(style.top).toBe('100px');
  button.y = 80;
  fireEvent(window, new Event('resize'));
  expect(style.top).toBe('120px');
  rerender(<Menu labels={['Edit']} chosen={[]} isGone />);
  fireEvent.scroll(document);
  expect(screen.queryByRole('menu')).toBeNull();
});

/** Rows with one menu between them, as in a list. */
function Rows({ isFirstGone = false }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const rows = isFirstGone ? ['Second'] : ['First', 'Second'];
  return (
    <>
      {rows.map((row) => (
        <button key={row} type="button" onClick={({ currentTarget }) => setAnchor(currentTarget)}>
          {row}
        </button>
      ))}
      <ActionMenu actions={[{ label: 'Edit', run: vi.fn() }]} anchor={anchor} onClose={() => setAnchor(null)} />
    </>
  );
}

test('the menu of a row stays open when the row whose menu was open before is removed', async () => {
  const { rerender } = render(<Rows />);
  await userEvent.click(screen.getByRole('button', { name: 'First' }));
  await userEvent.keyboard('{Escape}');
  rerender(<Rows isFirstGone />);
  await userEvent.click(screen.getByRole('button', { name: 'Second' }));
  fireEvent.scroll(document);
  fireEvent(window, new Event('resize'));
  expect(screen.getByRole('menu')).toBeTruthy();
});

test('a menu opens within the main part of the page', async () => {
  render(
    <main>
      <Menu labels={['Edit']} chosen={[]} />
    </main>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  expect(screen.getByRole('main').contains(screen.getByRole('menu'))).toBe(true);
});

test('calls the current close handler when its button is removed', () => {
  const [before, now] = [vi.fn(), vi.fn()];
  const anchor = document.createElement('button');
  document.body.append(anchor);
  const { rerender } = render(<ActionMenu actions={[]} anchor={anchor} onClose={before} />);
  rerender(<ActionMenu actions={[]} anchor={anchor} onClose={now} />);
  anchor.remove();
  fireEvent.scroll(document);
  expect(now).toHaveBeenCalledOnce();
  expect(before).not.toHaveBeenCalled();
});

test('does not take back the focus that an action has moved', async () => {
  const target = document.createElement('input');
  document.body.append(target);
  const anchor = document.createElement('button');
  document.body.append(anchor);
  render(<ActionMenu actions={[{ label: 'Edit', run: () => target.focus() }]} anchor={anchor} onClose={vi.fn()} />);
  await userEvent.click(screen.getByRole('menuitem', { name: 'Edit' }));
  expect(document.activeElement).toBe(target);
  target.remove();
  anchor.remove();
});
