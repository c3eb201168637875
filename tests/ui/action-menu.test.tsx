import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import ActionMenu from '../../src/resource/list/action-menu.tsx';

/** A button with a menu of these; what was chosen is told. */
function Menu({ labels, chosen }: { labels: readonly string[]; chosen: string[] }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const actions = labels.map((label) => ({ label, run: () => void chosen.push(label) }));
  return (
    <>
      <button type="button" onClick={({ currentTarget }) => setAnchor(currentTarget)}>
        More
      </button>
      <ActionMenu actions={actions} anchor={anchor} onClose={() => setAnchor(null)} />
    </>
  );
}

afterEach(cleanup);

const focused = () => document.activeElement?.textContent;

test('a menu is gone through by keys, and gives the focus back to its button', async () => {
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

test('a letter moves to the next item that begins with it, and around', async () => {
  const user = userEvent.setup();
  render(<Menu labels={['Select', 'Edit', 'Save']} chosen={[]} />);
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.keyboard('s');
  expect(focused()).toBe('Save');
  await user.keyboard('s');
  expect(focused()).toBe('Select');
});

test('a key that the menu takes is none of the page', async () => {
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
