import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bringReader, openPdf } from '../../src/fields/documents/pdf-reader.ts';

/** The PDF reader, which is fetched when the first document is opened. Its two files are stand-ins. */

const files = vi.hoisted(() => ({ reader: '', worker: '/pdf.worker.min.mjs' }));
vi.mock('pdfjs-dist/legacy/build/pdf.min.mjs?url', () => ({
  get default() {
    return files.reader;
  },
}));
vi.mock('pdfjs-dist/legacy/build/pdf.worker.min.mjs?url', () => ({
  get default() {
    return files.worker;
  },
}));

const script = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
const READER = script(`
  export const PDFWorker = { create: ({ port }) => ({ port }) };
  export const getDocument = (options) => globalThis.readPdf(options);
`);

const workers: string[] = [];
const read = vi.fn<(options: { readonly data: ArrayBuffer; readonly enableXfa: boolean }) => object>();
const destroyed = vi.fn<() => void>();

beforeEach(() => {
  files.reader = READER;
  workers.length = 0;
  vi.stubGlobal('Worker', function start(address: string) {
    workers.push(address);
  });
  read.mockReset().mockImplementation(() => ({
    promise: Promise.resolve({
      numPages: 3,
      getPage: async (number: number) => `page ${number}`,
      loadingTask: { destroy: destroyed },
    }),
  }));
  vi.stubGlobal('readPdf', read);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('a reader that could not be loaded is loaded again for the next document', async () => {
  files.reader = script('throw new Error("No link.")');
  await expect(openPdf(new Blob(['%PDF']))).rejects.toThrow('No link.');
  files.reader = READER;
  expect((await openPdf(new Blob(['%PDF']))).pages).toBe(3);
});

test('a document is read without running its scripts, gives its pages, and is released when it closes', async () => {
  const pdf = await openPdf(new Blob(['%PDF-1.7']));
  const [options] = read.mock.lastCall ?? [];
  expect(new TextDecoder().decode(options?.data)).toBe('%PDF-1.7');
  expect(options?.enableXfa).toBe(false);
  expect(await pdf.page(2)).toBe('page 2');
  expect(destroyed).not.toHaveBeenCalled();
  pdf.close();
  expect(destroyed).toHaveBeenCalledOnce();
});

test('all documents share one reader', async () => {
  await openPdf(new Blob(['%PDF']));
  workers.length = 0;
  await openPdf(new Blob(['%PDF']));
  expect(workers).toEqual([]);
});

test('both files of the reader are fetched in advance, and a failure is reported', async () => {
  const fetched: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    fetched.push(address);
    return new Response('');
  });
  await bringReader();
  expect(fetched).toEqual([READER, '/pdf.worker.min.mjs']);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('No link.')));
  await expect(bringReader()).rejects.toThrow('No link.');
});
