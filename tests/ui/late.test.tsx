import { act, cleanup, render, screen } from '@testing-library/react';
import { type ComponentType, Suspense } from 'react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { late, onMissingCode, optional } from '../../src/ui/late.tsx';

afterEach(cleanup);

const Part = ({ name }: { readonly name: string }) => <p>{`part of ${name}`}</p>;
const loader = () =>
  vi.fn<() => Promise<{ default: ComponentType<{ name: string }> }>>(async () => ({ default: Part }));

test('shows a prefetched part in its first frame', async () => {
  const load = loader();
  const Late = late(load);
  expect(load).not.toHaveBeenCalled();
  await Late.load();
  render(
    <Suspense fallback="waiting">
      <Late name="the list" />
    </Suspense>,
  );
  expect(screen.getByText('part of the list')).toBeDefined();
  expect(screen.queryByText('waiting')).toBeNull();
  expect(load).toHaveBeenCalledOnce();
});

test('fetches any other part when it is shown', async () => {
  const load = loader();
  const Late = late(load);
  render(
    <Suspense fallback="waiting">
      <Late name="the form" />
    </Suspense>,
  );
  expect(screen.getByText('waiting')).toBeDefined();
  expect(await screen.findByText('part of the form')).toBeDefined();
  expect(load).toHaveBeenCalledOnce();
});

test('an optional part whose code is missing is asked for again each time it appears, until it is there', async () => {
  const said = vi.fn<() => void>();
  onMissingCode(said);
  onTestFinished(() => onMissingCode(() => {}));
  const load = loader();
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  const Optional = optional(load);
  const closed = vi.fn<() => void>();
  const open = () => act(async () => render(<Optional name="the menu" onMissing={closed} />));
  const { container, unmount } = await open();
  expect([container.textContent, said.mock.calls.length, closed.mock.calls.length]).toEqual(['', 1, 1]);
  unmount();
  (await open()).unmount();
  render(<Optional name="the menu" onMissing={closed} />);
  expect(screen.getByText('part of the menu')).toBeDefined();
  expect([load.mock.calls.length, said.mock.calls.length]).toEqual([2, 1]);
});

test('an optional part that has gone before its code failed says nothing', async () => {
  const said = vi.fn<() => void>();
  onMissingCode(said);
  onTestFinished(() => onMissingCode(() => {}));
  const load = loader();
  const code = Promise.withResolvers<{ default: ComponentType<{ name: string }> }>();
  load.mockReturnValueOnce(code.promise);
  const Optional = optional(load);
  render(<Optional name="the menu" onMissing={said} />).unmount();
  await act(async () => code.reject(new TypeError('Failed to fetch')));
  expect(said).not.toHaveBeenCalled();
});
