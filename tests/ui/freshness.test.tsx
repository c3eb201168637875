import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Freshness } from '../../src/ui/freshness.tsx';

afterEach(cleanup);

const refresh = () => screen.getByRole('button', { name: 'Refresh' });

test('a copy is refreshed by its button, and not once more while that is under way', () => {
  const onRefresh = vi.fn<() => void>();
  const { rerender } = render(<Freshness fetchedAt={Date.now()} onRefresh={onRefresh} />);
  fireEvent.click(refresh());
  expect(onRefresh).toHaveBeenCalledOnce();
  rerender(<Freshness fetchedAt={Date.now()} onRefresh={onRefresh} refreshing />);
  expect(refresh().getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(refresh());
  expect(onRefresh).toHaveBeenCalledOnce();
});

test.each([
  ['Not on this device yet', {}],
  ['Loading', { refreshing: true }],
  ['Loading', { refreshing: true, failure: 'No link.' }],
])('of what is not here it says “%s”', (words, state) => {
  render(<Freshness {...state} />);
  expect(screen.getByText(words)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

test('of a copy that could not be refreshed it says so, and why to whoever asks, until the next try', () => {
  const { rerender } = render(<Freshness fetchedAt={Date.now()} failure="No link." />);
  const words = screen.getByText(/^Updated .* · couldn’t refresh$/);
  expect(words.title).toBe('No link.');
  rerender(<Freshness fetchedAt={Date.now()} failure="No link." refreshing />);
  expect(screen.queryByText(/couldn’t refresh/)).toBeNull();
});
