import { describe, expect, test } from 'vitest';
import type { FileReference } from '../../src/domain/outbox/vocabulary.ts';
import { missingFiles } from '../../src/offline/sender/key-reuse.ts';

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

describe('of the photos of a change the server lacks', () => {
  test('those whose bytes it does not hold, whatever they are called', () => {
    const files = [picked('a'), picked('b')];
    expect(missingFiles(files, holding('a'), [])).toEqual([files[1]]);
  });

  test('the second of two equal ones where it holds one', () => {
    const files = [picked('a'), picked('a')];
    expect(missingFiles(files, holding('a'), [])).toEqual([files[1]]);
    expect(missingFiles(files, holding('a', 'a'), [])).toEqual([]);
  });

  test('one whose bytes stand in another field', () => {
    const files = [picked('a', 'catalog')];
    expect(missingFiles(files, holding('a'), [])).toEqual(files);
  });

  test('none for each that came since as other bytes, and not for those that were there before', () => {
    const files = [picked('a'), picked('b')];
    expect(missingFiles(files, holding('x'), [])).toEqual([files[1]]);
    expect(missingFiles(files, holding('x'), [0])).toEqual(files);
  });

  test('none for each that was there with the bytes that went out at first', () => {
    const files = [picked('again'), picked('new')];
    expect(missingFiles(files, holding('old', 'first'), [0, 1], [picked('first')])).toEqual([files[1]]);
    expect(missingFiles(files, holding('old', 'first'), [0, 1], [picked('other')])).toEqual(files);
  });

  test('one for each that came since, though one with its bytes was there before', () => {
    const files = [picked('again'), picked('new')];
    expect(missingFiles(files, holding('first', 'first'), [0], [picked('first')])).toEqual([files[1]]);
  });
});
