import { cleanup, render, screen } from '@testing-library/react';
import { type ComponentType, Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { late } from '../../src/ui/late.tsx';

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
