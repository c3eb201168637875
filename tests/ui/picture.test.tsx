import 'fake-indexeddb/auto';
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { listCopy } from '../../src/api/sources.ts';
import type { ListRow } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { RecordPicture } from '../../src/resource/record-picture.tsx';
import { thumbnailAddress } from '../../src/resource/thumbnails.ts';
import { Picture, retryPictures } from '../../src/ui/picture.tsx';

afterEach(cleanup);

test('replaces a picture that fails to load by a placeholder, and can retry it', () => {
  const { container } = render(
    <Picture src="/uploads/a.png?width=100" alt="A house" className="row-image" missing="Not here" />,
  );
  const picture = container.querySelector('img');
  expect(picture?.getAttribute('src')).toBe('/uploads/a.png?width=100');
  if (picture !== null) fireEvent.error(picture);
  expect(container.querySelector('img')).toBeNull();
  expect(container.querySelector('.row-image.missing-picture')?.textContent).toBe('Not here');
  act(retryPictures);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/uploads/a.png?width=100');
});

test.each([
  ['its first photo', 'generators', { photo: 'house.png' }, '/uploads/house.png?width=48'],
  ['the picture of its column', 'partners', { image: 'logo.png' }, '/uploads/logo.png?width=48'],
  ['none', 'partners', { image: '' }, undefined],
  ['none before its list is on this device', 'sliders', undefined, undefined],
] as const)('a record is shown with %s', (_, name, record, src) => {
  const resource = resourceOf(name);
  const row = { id: 7, ...record } as unknown as ListRow;
  if (record !== undefined) listCopy(resource).adopt({ value: [row], fetchedAt: Date.now() });
  const { container } = render(<RecordPicture resource={resource} id={7} className="card-picture" />);
  expect([...container.querySelectorAll('.card-picture')].map((one) => one.getAttribute('src'))).toEqual(
    src === undefined ? [] : [src],
  );
});

test('hides the placeholder of a decorative picture from screen readers', () => {
  const { container } = render(<Picture src="" missing="Not here" />);
  const sign = container.querySelector<HTMLElement>('.missing-picture');
  expect([sign?.ariaHidden, sign?.textContent, sign?.dataset['words']]).toEqual(['true', '', 'Not here']);
});

test('shows a delayed placeholder for a picture without an address', () => {
  const { container } = render(<Picture src="" className="row-image" />);
  expect(container.querySelector('img')).toBeNull();
  expect(container.querySelector('.row-image.missing-picture[data-late="true"]')).not.toBeNull();
});

test('another picture in the same place is tried', () => {
  const { container, rerender } = render(<Picture src="/uploads/a.png" />);
  const picture = container.querySelector('img');
  if (picture !== null) fireEvent.error(picture);
  rerender(<Picture src="/uploads/b.png" />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/uploads/b.png');
});

test('requests the smallest sufficient size, or the whole picture if the server has no sizes', () => {
  const sizes = [300, 100, 1200];
  expect(thumbnailAddress(sizes, 'a b.png', 100)).toBe('/uploads/a%20b.png?width=100');
  expect(thumbnailAddress(sizes, 'a.png', 200)).toBe('/uploads/a.png?width=300');
  expect(thumbnailAddress(sizes, 'a.png', 1600)).toBe('/uploads/a.png');
  expect(thumbnailAddress([], 'a.png', 100)).toBe('/uploads/a.png');
  expect(thumbnailAddress(undefined, 'a.png', 100)).toBe('/uploads/a.png?width=100');
});
