import { savesData } from '../../api/prefetch.ts';
import { fitWithin } from '../../fields/photos/fit.ts';

/** Returns the text of a code in a picture. Undefined if there is none. */
export type CodeReader = (picture: CanvasImageSource, width: number, height: number) => Promise<string | undefined>;

/** Code formats on nameplates, boxes and our own labels. */
const FORMATS = ['qr_code', 'data_matrix', 'code_128', 'code_39', 'ean_13', 'ean_8', 'itf', 'upc_a'] as const;

/** Codes can be read at less than camera resolution, and faster. Pixels. */
const LONGEST_SIDE = 1280;

// https://wicg.github.io/shape-detection-api/#barcode-detection-api
interface NativeDetector {
  detect(picture: OffscreenCanvas): Promise<readonly { readonly rawValue: string }[]>;
}
interface NativeDetectorClass {
  new (options: { formats: readonly string[] }): NativeDetector;
  getSupportedFormats(): Promise<readonly string[]>;
}

/** Returns the browser's own code reader, or else loads one. Rejects if it cannot be loaded. */
export async function codeReader(): Promise<CodeReader> {
  const read = (await nativeReader()) ?? (await loadedReader());
  return (picture, width, height) => {
    const size = fitWithin({ width, height }, LONGEST_SIDE);
    const canvas = new OffscreenCanvas(size.width, size.height);
    canvas.getContext('2d', { willReadFrequently: true })?.drawImage(picture, 0, 0, size.width, size.height);
    return read(canvas);
  };
}

/**
 * Prefetches the reader into the worker's cache, because the first scan may happen offline. Does nothing if the browser has
 * its own reader, without a worker, or with data saving on.
 */
export async function bringCodeReader(): Promise<void> {
  if (savesData() || !navigator.serviceWorker?.controller || (await nativeReader()) !== undefined) return;
  const address = await readerAddress();
  if ((await caches.match(address)) === undefined) await (await fetch(address, { priority: 'low' })).blob();
}

async function readerAddress(): Promise<string> {
  return (await import('zxing-wasm/reader/zxing_reader.wasm?url')).default;
}

type Read = (canvas: OffscreenCanvas) => Promise<string | undefined>;

/** Chromium lists formats only if the system can read codes. On desktops it often has the class but no formats. */
async function nativeReader(): Promise<Read | undefined> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: NativeDetectorClass };
  const supported = (await BarcodeDetector?.getSupportedFormats()) ?? [];
  const formats = FORMATS.filter((format) => supported.includes(format));
  if (BarcodeDetector === undefined || !formats.includes('qr_code')) return undefined;
  const detector = new BarcodeDetector({ formats });
  return async (canvas) => (await detector.detect(canvas))[0]?.rawValue;
}

async function loadedReader(): Promise<Read> {
  const [{ prepareZXingModule, readBarcodes }, address] = await Promise.all([
    import('zxing-wasm/reader'),
    readerAddress(),
  ]);
  await prepareZXingModule({ overrides: { locateFile: () => address }, fireImmediately: true });
  return async (canvas) => {
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
    const [found] = pixels === undefined ? [] : await readBarcodes(pixels, { maxNumberOfSymbols: 1 });
    return found?.text;
  };
}
