import { afterEach, expect, test, vi } from 'vitest';
import { fieldOf } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import type { AttachmentField } from '../../src/domain/fields.ts';
import { takeFile } from '../../src/fields/photos/take-file.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  canvases.length = 0;
});

const photos = fieldOf(resourceOf('generators'), 'images') as AttachmentField;
const catalog = fieldOf(resourceOf('generators'), 'catalog') as AttachmentField;
const heic = new File(['\0\0\0\u0018ftypheic\0\0\0\0'], 'IMG_0042.HEIC');

const filled = vi.fn<() => void>();
const closed = vi.fn<() => void>();
const canvases: { width: number; height: number }[] = [];

/** A browser that reads HEIC: a photo of this size, redrawn as the requested type. */
function readsHeic(width: number, height: number) {
  const drawn: { size: readonly number[]; type: string }[] = [];
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: closed }));
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      readonly size: readonly number[];
      width = width;
      height = height;
      constructor(...size: number[]) {
        this.size = size;
        canvases.push(this);
      }
      getContext() {
        return { fillRect: filled, drawImage: () => {} };
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

test('converts a HEIC photo even if it is small enough', async () => {
  const drawn = readsHeic(640, 480);
  await takeFile(photos, heic);
  expect(drawn).toEqual([{ size: [640, 480], type: 'image/jpeg' }]);
});

test('rejects a HEIC photo that the browser cannot read, with advice', async () => {
  vi.stubGlobal('createImageBitmap', async () => {
    throw new DOMException('The source image could not be decoded.', 'InvalidStateError');
  });
  expect(await takeFile(photos, heic)).toEqual({
    ok: false,
    reason: expect.stringMatching(/IMG_0042\.HEIC.*HEIC photo.*Most Compatible/),
  });
});

test('rejects a HEIC photo as a catalogue', async () => {
  expect(await takeFile(catalog, heic)).toMatchObject({ ok: false });
});

const bytesOf = (...bytes: readonly number[]) => new Uint8Array(bytes);
const PNG = bytesOf(0x89, 0x50, 0x4e, 0x47);
const JPEG = bytesOf(0xff, 0xd8, 0xff, 0xda);

/** A JPEG whose EXIF block says how the camera was held. */
function held(orientation: number): Uint8Array<ArrayBuffer> {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  return bytesOf(0xff, 0xd8, 0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff);
}

test('keeps an upright photo that is small enough byte for byte', async () => {
  const drawn = readsHeic(640, 480);
  for (const [bytes, name, type] of [
    [JPEG, 'a.jpg', 'image/jpeg'],
    [held(1), 'b.jpg', 'image/jpeg'],
    [PNG, 'c.png', 'image/png'],
  ] as const) {
    const taken = await takeFile(photos, new File([bytes], name));
    expect(taken).toMatchObject({ ok: true, file: { name, type, blob: { size: bytes.length } } });
    expect(taken.ok && 'originalSize' in taken.file).toBe(false);
  }
  expect(drawn).toEqual([]);
  expect(closed).toHaveBeenCalledTimes(3);
});

test.each([3, 6, 8])('redraws a rotated photo (%i) upright, however small it is', async (orientation) => {
  const drawn = readsHeic(640, 480);
  await takeFile(photos, new File([held(orientation)], 'a.jpg'));
  expect(drawn).toEqual([{ size: [640, 480], type: 'image/jpeg' }]);
});

test('keeps a transparent PNG and its name, and gives a photo a white background', async () => {
  const drawn = readsHeic(5120, 2560);
  const png = await takeFile(photos, new File([PNG], 'plan.v2.png'));
  expect(png).toMatchObject({ ok: true, file: { name: 'plan.v2.png', type: 'image/png', originalSize: 4 } });
  expect(drawn).toEqual([{ size: [2560, 1280], type: 'image/png' }]);
  expect(filled).not.toHaveBeenCalled();
  await takeFile(photos, new File([JPEG], 'a.jpeg'));
  expect(filled).toHaveBeenCalledOnce();
});

test('the memory of a drawn photo is given back', async () => {
  readsHeic(5120, 2560);
  await takeFile(photos, new File([JPEG], 'a.jpeg'));
  expect(canvases).toMatchObject([{ width: 0, height: 0 }]);
  expect(closed).toHaveBeenCalledOnce();
});

test('never redraws a GIF, which may be animated', async () => {
  const drawn = readsHeic(5120, 2560);
  const gif = await takeFile(photos, new File(['GIF89a'], 'mill.gif'));
  expect(gif).toMatchObject({ ok: true, file: { name: 'mill.gif', type: 'image/gif' } });
  expect(drawn).toEqual([]);
});

test('keeps a picture as a catalogue unchanged, as its small text must stay readable', async () => {
  const drawn = readsHeic(5120, 2560);
  const accepting = { ...catalog, accept: ['image/jpeg'] } as AttachmentField;
  expect(await takeFile(accepting, new File([JPEG], 'scan.jpg'))).toMatchObject({ ok: true });
  expect(drawn).toEqual([]);
});

test('gives the reason for a rejected file: empty, damaged, of another type, unreadable', async () => {
  const reasonOf = async (file: File) => {
    const taken = await takeFile(photos, file);
    return taken.ok ? undefined : taken.reason;
  };
  vi.stubGlobal('createImageBitmap', async () => {
    throw new DOMException('The source image could not be decoded.', 'InvalidStateError');
  });
  expect(await reasonOf(new File([], 'a.jpg'))).toBe('“a.jpg” is empty.');
  expect(await reasonOf(new File([JPEG], 'b.jpg'))).toBe('“b.jpg” is damaged or not a picture.');
  expect(await reasonOf(new File(['%PDF-1.7'], 'c.pdf'))).toMatch(/^“c\.pdf” isn’t a supported type: JPEG/);
  const gone = new File([JPEG], 'd.jpg');
  gone.arrayBuffer = async () => {
    throw new DOMException('The file is gone.', 'NotReadableError');
  };
  expect(await reasonOf(gone)).toMatch(/^“d\.jpg” couldn’t be read\./);
});

test('lists each type that a catalogue may have once', async () => {
  expect(await takeFile(catalog, new File(['words'], 'notes.txt'))).toEqual({
    ok: false,
    reason: '“notes.txt” isn’t a supported type: PDF, Word, JPEG, PNG, WebP.',
  });
});
