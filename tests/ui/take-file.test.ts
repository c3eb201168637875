import { afterEach, expect, test, vi } from 'vitest';
import { fieldOf } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import type { AttachmentField } from '../../src/domain/fields.ts';
import { takeFile } from '../../src/fields/photos/take-file.ts';

afterEach(() => vi.unstubAllGlobals());

const photos = fieldOf(resourceOf('generators'), 'images') as AttachmentField;
const catalog = fieldOf(resourceOf('generators'), 'catalog') as AttachmentField;
const heic = new File(['\0\0\0\u0018ftypheic\0\0\0\0'], 'IMG_0042.HEIC');

/** A browser that reads HEIC: a photo of this size, drawn anew as the type that is asked for. */
function readsHeic(width: number, height: number) {
  const drawn: { size: readonly number[]; type: string }[] = [];
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: () => {} }));
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      readonly size: readonly number[];
      constructor(...size: number[]) {
        this.size = size;
      }
      getContext() {
        return { fillRect: () => {}, drawImage: () => {} };
      }
      async convertToBlob({ type }: { type: string }) {
        drawn.push({ size: this.size, type });
        return new Blob(['a smaller picture'], { type });
      }
    },
  );
  return drawn;
}

test('a HEIC photo becomes a JPEG that fits, where the browser can read it', async () => {
  const drawn = readsHeic(4032, 3024);
  const taken = await takeFile(photos, heic);
  expect(drawn).toEqual([{ size: [2560, 1920], type: 'image/jpeg' }]);
  expect(taken).toMatchObject({
    ok: true,
    file: { field: 'images', name: 'IMG_0042.jpg', type: 'image/jpeg', originalSize: heic.size },
  });
});

test('a HEIC photo is converted also when it is small enough', async () => {
  const drawn = readsHeic(640, 480);
  await takeFile(photos, heic);
  expect(drawn).toEqual([{ size: [640, 480], type: 'image/jpeg' }]);
});

test('a HEIC photo that the browser cannot read is refused with the way out', async () => {
  vi.stubGlobal('createImageBitmap', async () => {
    throw new DOMException('The source image could not be decoded.', 'InvalidStateError');
  });
  expect(await takeFile(photos, heic)).toEqual({
    ok: false,
    reason: expect.stringMatching(/IMG_0042\.HEIC.*HEIC photo.*Most Compatible/),
  });
});

test('a HEIC photo is no catalogue', async () => {
  expect(await takeFile(catalog, heic)).toMatchObject({ ok: false });
});
