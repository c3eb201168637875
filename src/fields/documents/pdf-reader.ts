import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

/** An opened PDF. `close` gives its memory back. */
export interface OpenPdf {
  readonly pages: number;
  readonly page: (number: number) => Promise<PDFPageProxy>;
  readonly close: () => void;
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string };
}

type Reader = (bytes: ArrayBuffer) => Promise<PDFDocumentProxy>;

let loading: Promise<Reader> | undefined;

/** Opens a PDF's bytes. Rejects where the reader cannot be had, and for what is damaged or locked with a password. */
export async function openPdf(blob: Blob): Promise<OpenPdf> {
  loading ??= loadReader();
  const read = await loading.catch((reason: unknown) => {
    loading = undefined;
    throw reason;
  });
  const document = await read(await blob.arrayBuffer());
  return {
    pages: document.numPages,
    page: (number) => document.getPage(number),
    close: () => void document.loadingTask.destroy(),
  };
}

/**
 * The build for older engines: the newer one asks for what tablets of two years ago lack. Both files keep their own names, so
 * that the worker keeps them from their first use (sw/tools.ts) and no device fetches them beforehand.
 */
async function addresses() {
  const [{ default: reader }, { default: worker }] = await Promise.all([
    import('pdfjs-dist/legacy/build/pdf.min.mjs?url'),
    import('pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'),
  ]);
  return { reader, worker };
}

/** Has the worker keep the reader, before the first PDF is opened. Rejects where it cannot be had. */
export async function bringReader(): Promise<void> {
  for (const address of Object.values(await addresses())) await (await fetch(address, { priority: 'low' })).blob();
}

async function loadReader(): Promise<Reader> {
  const { reader, worker } = await addresses();
  const pdfjs = (await import(/* @vite-ignore */ reader)) as typeof import('pdfjs-dist');
  const port = new Worker(vouchedFor(worker), { type: 'module' });
  const shared = pdfjs.PDFWorker.create({ port });
  // scripts inside a file, and what it would fetch, stay where they are
  return (bytes) => pdfjs.getDocument({ data: bytes, worker: shared, enableXfa: false }).promise;
}

/** The page's policy (`require-trusted-types-for 'script'`) lets a worker start only from an address that is vouched for. */
function vouchedFor(worker: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('voltdesk-pdf', {
    createScriptURL: (address) => {
      if (address !== worker) throw new TypeError(`Not the reader of PDFs: ${address}`);
      return address;
    },
  });
  return policy?.createScriptURL(worker) ?? worker;
}
