import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Freshness } from '../../src/ui/freshness.tsx';

afterEach(cleanup);

const refresh = () => screen.getByRole('button', { name: 'Refresh' });

test('refreshes a copy by its button, but not again while that is under way', () => {
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
])('shows “%s” for a missing copy', (words, state) => {
  render(<Freshness {...state} />);
  expect(screen.getByText(words)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

test('says that a copy could not be refreshed, with the reason on hover, until the next try', () => {
  const { rerender } = render(<Freshness fetchedAt={Date.now()} failure="No link." />);
  const words = screen.getByText(/^Updated .* · couldn’t refresh$/);
  expect(words.title).toBe('No link.');
  rerender(<Freshness fetchedAt={Date.now()} failure="No link." refreshing />);
  expect(screen.queryByText(/couldn’t refresh/)).toBeNull();
});
