import { act, cleanup, render } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bringCodeReader } from '../../src/app/scan/read-code.ts';
import { useCodeIn, useCodesOf } from '../../src/app/scan/use-codes.ts';
import type { CameraState } from '../../src/fields/photos/camera/use-camera.ts';
import { noteAnswer } from '../../src/stores/connection.ts';
import { catalogue as pseudo } from '../../src/language/pseudo.ts';
import { speak } from '../../src/language/t.ts';
import { soon } from '../harness/soon.ts';
import { plainWords } from './untranslated.ts';

/** What the reader finds in successive pictures: a text, or no code. The last one repeats. */
const pictures: (string | undefined)[] = [];
/** How long the reader takes with one picture. */
const reading = { end: Promise.resolve() };
const looks = vi.fn<(width: number, height: number) => void>();
const closed = vi.fn<() => void>();
const loaded = vi.hoisted(() => ({ isThere: true, codes: [] as { text: string; format: string }[] }));

vi.mock('zxing-wasm/reader', () => ({
  prepareZXingModule: async () => {
    if (!loaded.isThere) throw new TypeError('Failed to fetch dynamically imported module');
  },
  readBarcodes: async () => loaded.codes,
}));

/** The browser's own reader. */
class Detector {
  static getSupportedFormats = async () => ['qr_code', 'ean_13'];
  async detect({ width, height }: { width: number; height: number }) {
    looks(width, height);
    await reading.end;
    const text = pictures.length > 1 ? pictures.shift() : pictures[0];
    return text === undefined ? [] : [{ rawValue: text }];
  }
}

class Canvas {
  readonly width: number;
  readonly height: number;
  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
  }
  getContext() {
    return { drawImage() {}, getImageData: () => ({}) };
  }
}

const hearer = { found: vi.fn<(text: string) => boolean>(), tell: vi.fn<(notice: string) => void>() };
const photo = new File(['x'], 'label.jpg', { type: 'image/jpeg' });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('BarcodeDetector', Detector);
  vi.stubGlobal('OffscreenCanvas', Canvas);
  vi.stubGlobal('createImageBitmap', async () => ({ width: 4000, height: 2000, close: closed }));
  pictures.length = 0;
  reading.end = Promise.resolve();
  Object.assign(loaded, { isThere: true, codes: [] });
  hearer.found.mockReset().mockReturnValue(true);
  hearer.tell.mockReset();
  looks.mockReset();
  closed.mockReset();
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function Camera({ state }: { state: CameraState }) {
  const video = useRef<HTMLVideoElement>(null);
  useCodesOf(video, state, hearer);
  return <video ref={video} muted />;
}

function Photo({ file }: { file: File | undefined }) {
  useCodeIn(file, hearer);
  return null;
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const notices = () => hearer.tell.mock.calls.map(([notice]) => notice);

test('reads the camera’s picture every 200 ms until a code leads somewhere', async () => {
  pictures.push(undefined, 'elsewhere', 'SN-1');
  hearer.found.mockImplementation((text) => text === 'SN-1');
  render(<Camera state="on" />);
  await pass(0);
  expect(looks).toHaveBeenCalledTimes(1);
  await pass(199);
  expect(looks).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(hearer.found.mock.calls).toEqual([['elsewhere']]);
  await pass(1000);
  expect(hearer.found.mock.calls).toEqual([['elsewhere'], ['SN-1']]);
  expect(looks).toHaveBeenCalledTimes(3);
});

test('one picture that cannot be read does not end the search', async () => {
  looks.mockImplementationOnce(() => {
    throw new DOMException('The source is unavailable.', 'InvalidStateError');
  });
  pictures.push('SN-1');
  render(<Camera state="on" />);
  await pass(1000);
  expect(hearer.found.mock.calls).toEqual([['SN-1']]);
  expect(hearer.tell).not.toHaveBeenCalled();
});

test('reads nothing before the camera is on or after the dialog has closed', async () => {
  pictures.push(undefined);
  const { rerender, unmount } = render(<Camera state="asked" />);
  await pass(1000);
  expect(looks).not.toHaveBeenCalled();
  rerender(<Camera state="on" />);
  await pass(0);
  unmount();
  pictures.splice(0, 1, 'SN-1');
  await pass(1000);
  expect(looks).toHaveBeenCalledTimes(1);
  expect(hearer.found).not.toHaveBeenCalled();
});

test('ignores a code that is read as the dialog closes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  reading.end = promise;
  pictures.push('SN-1');
  const { unmount } = render(<Camera state="on" />);
  await pass(0);
  expect(looks).toHaveBeenCalledOnce();
  unmount();
  resolve();
  await pass(1000);
  expect(hearer.found).not.toHaveBeenCalled();
});

test('a reader that is not on this device is reported in the language of the user', async () => {
  speak(pseudo);
  vi.stubGlobal('BarcodeDetector', undefined);
  loaded.isThere = false;
  render(<Camera state="on" />);
  render(<Photo file={photo} />);
  await soon(() => expect(notices()).toHaveLength(3));
  speak(undefined);
  expect(notices().flatMap(plainWords)).toEqual([]);
});

test('reports a missing reader over the camera’s picture', async () => {
  vi.stubGlobal('BarcodeDetector', undefined);
  loaded.isThere = false;
  render(<Camera state="on" />);
  await soon(() =>
    expect(notices()).toEqual(['The code reader isn’t on this device yet. It needs a connection once.']),
  );
});

test('requests all code kinds of labels and nameplates that the browser’s reader supports', async () => {
  const KINDS = ['qr_code', 'data_matrix', 'code_128', 'code_39', 'ean_13', 'ean_8', 'itf', 'upc_a'];
  const asked: (readonly string[])[] = [];
  let known: readonly string[] = [...KINDS, 'pdf417'];
  vi.stubGlobal(
    'BarcodeDetector',
    class extends Detector {
      static override getSupportedFormats = async () => [...known];
      constructor({ formats }: { formats: readonly string[] }) {
        super();
        asked.push(formats);
      }
    },
  );
  render(<Photo file={photo} />);
  await pass(0);
  known = ['ean_8', 'qr_code'];
  render(<Photo file={photo} />);
  await pass(0);
  expect(asked).toEqual([KINDS, ['qr_code', 'ean_8']]);
});

test('a photo is read once, no larger than a code needs', async () => {
  pictures.push('SN-1');
  render(<Photo file={photo} />);
  expect(notices()).toEqual(['Looking for a code…']);
  await pass(0);
  expect(hearer.found.mock.calls).toEqual([['SN-1']]);
  expect(looks.mock.calls).toEqual([[1280, 640]]);
  expect(closed).toHaveBeenCalledOnce();
  act(() => noteAnswer(true));
  await pass(0);
  expect(hearer.found).toHaveBeenCalledOnce();
});

test.each([
  ['no reader', undefined],
  [
    'a reader without QR codes',
    class extends Detector {
      static override getSupportedFormats = async () => ['ean_13'];
    },
  ],
])('a browser with %s uses the reader that comes with the app', async (_, own) => {
  vi.stubGlobal('BarcodeDetector', own);
  loaded.codes = [{ text: 'SN-2', format: 'QRCode' }];
  render(<Photo file={photo} />);
  await soon(() => expect(hearer.found.mock.calls).toEqual([['SN-2']]));
  expect(looks).not.toHaveBeenCalled();
});

test('a photo without a code says so, and so does one that cannot be opened', async () => {
  pictures.push(undefined);
  const { rerender } = render(<Photo file={photo} />);
  await pass(0);
  expect(notices()).toEqual(['Looking for a code…', 'No readable code in this photo.']);
  expect(closed).toHaveBeenCalledOnce();
  vi.stubGlobal('createImageBitmap', async () => Promise.reject(new DOMException('damaged', 'InvalidStateError')));
  rerender(<Photo file={new File(['y'], 'damaged.jpg')} />);
  await pass(0);
  expect(notices().slice(2)).toEqual(['Looking for a code…', 'No readable code in this photo.']);
});

test('a photo without a reader waits for the connection, and is read when the server answers', async () => {
  vi.stubGlobal('BarcodeDetector', undefined);
  loaded.isThere = false;
  pictures.push('SN-1');
  render(<Photo file={photo} />);
  await soon(() =>
    expect(notices().at(-1)).toBe(
      'The code reader isn’t on this device yet. It needs a connection once. Your photo will be read when the connection returns.',
    ),
  );
  vi.stubGlobal('BarcodeDetector', Detector);
  act(() => noteAnswer(true));
  await soon(() => expect(hearer.found.mock.calls).toEqual([['SN-1']]));
});

test('ignores the photo of a dialog that has closed', async () => {
  pictures.push('SN-1');
  render(<Photo file={photo} />).unmount();
  await pass(0);
  act(() => noteAnswer(true));
  await pass(0);
  expect(hearer.found).not.toHaveBeenCalled();
  expect(notices()).toEqual(['Looking for a code…']);
});

/** A page whose worker keeps what is fetched. */
function stubPage({ controller = true, saveData = false, cached = false, native = false } = {}) {
  const fetched = vi.fn<typeof fetch>(async () => new Response('wasm'));
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('caches', { match: async () => (cached ? new Response() : undefined) });
  vi.stubGlobal('BarcodeDetector', native ? Detector : undefined);
  vi.stubGlobal('navigator', { serviceWorker: { controller: controller ? {} : null }, connection: { saveData } });
  return fetched;
}

test('the reader is fetched ahead once, with low priority', async () => {
  const fetched = stubPage();
  await bringCodeReader();
  expect(fetched.mock.calls).toEqual([[expect.stringMatching(/zxing_reader.*\.wasm/), { priority: 'low' }]]);
});

test.each([
  ['the browser has one of its own', { native: true }],
  ['no worker would keep it', { controller: false }],
  ['the device saves data', { saveData: true }],
  ['it is there already', { cached: true }],
])('the reader is not fetched ahead where %s', async (_, page) => {
  const fetched = stubPage(page);
  await bringCodeReader();
  expect(fetched).not.toHaveBeenCalled();
});
