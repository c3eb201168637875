import { describe, expect, test } from 'vitest';
import type { FileReference } from '../../src/domain/outbox/vocabulary.ts';
import { lackedFiles } from '../../src/offline/sender/key-reuse.ts';

let ids = 0;

function picked(sha256: string, field = 'images'): FileReference {
  ids += 1;
  return { id: `file-${ids}`, field, name: 'image.jpg', type: 'image/jpeg', size: 1, sha256 };
}

/** A record that holds these images, as the server received them. */
function holding(...hashes: readonly string[]) {
  const names = hashes.map((hash, index) => ({ field: 'images', sha256: hash, name: `${index}.jpg` }));
  return { id: 7, images: names.map(({ name }, id) => ({ id, image: name })), files: names };
}

describe('of a change’s photos, the server lacks', () => {
  test('those whose bytes it does not hold, whatever their names', () => {
    const files = [picked('a'), picked('b')];
    expect(lackedFiles(files, holding('a'), [])).toEqual([files[1]]);
  });

  test('the second of two equal ones when it holds one', () => {
    const files = [picked('a'), picked('a')];
    expect(lackedFiles(files, holding('a'), [])).toEqual([files[1]]);
    expect(lackedFiles(files, holding('a', 'a'), [])).toEqual([]);
  });

  test('one whose bytes it holds only in another field', () => {
    const files = [picked('a', 'catalog')];
    expect(lackedFiles(files, holding('a'), [])).toEqual(files);
  });

  test('one less for each newer image with other bytes, but not for older images', () => {
    const files = [picked('a'), picked('b')];
    expect(lackedFiles(files, holding('x'), [])).toEqual([files[1]]);
    expect(lackedFiles(files, holding('x'), [0])).toEqual(files);
  });

  test('one less for each older image with the bytes that were sent first', () => {
    const files = [picked('again'), picked('new')];
    expect(lackedFiles(files, holding('old', 'first'), [0, 1], [picked('first')])).toEqual([files[1]]);
    expect(lackedFiles(files, holding('old', 'first'), [0, 1], [picked('other')])).toEqual(files);
  });

  test('one less for each newer image, even if an older one has the same bytes', () => {
    const files = [picked('again'), picked('new')];
    expect(lackedFiles(files, holding('first', 'first'), [0], [picked('first')])).toEqual([files[1]]);
  });
});
