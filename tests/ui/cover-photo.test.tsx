import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { PresentFile } from '../../src/fields/attachment-input.ts';
import { StoredPhotos } from '../../src/fields/photos/stored-photos.tsx';

afterEach(cleanup);

const photo = (key: string, state?: PresentFile['state']) =>
  ({ key, name: key, thumbnail: '', address: '', ...(state === undefined ? {} : { state }) }) as PresentFile;
const actions = { onDelete: vi.fn(), onUndo: vi.fn() };

test('the first photo that stays is marked as the cover, and no other', () => {
  const files = [photo('1', 'leaving'), photo('2'), photo('3')];
  render(<StoredPhotos heading="Previous Images" files={files} actions={actions} cover />);
  const marked = screen.getAllByRole('listitem').filter((tile) => within(tile).queryByText('Cover') !== null);
  expect(
    marked.map((tile) =>
      within(tile)
        .getByRole('button', { name: /^Enlarge/ })
        .getAttribute('aria-label'),
    ),
  ).toEqual(['Enlarge Photo 2']);
});

test('does not mark a single picture as a cover', () => {
  render(<StoredPhotos heading="Previous image" files={[photo('1')]} />);
  expect(screen.queryByText('Cover')).toBeNull();
});
