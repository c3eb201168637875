import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

/** An open PDF. `close` releases its memory. */
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

/** Opens a PDF. Rejects if the reader cannot be loaded, or if the file is damaged or password-protected. */
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
 * The legacy build: the modern one needs features that two-year-old tablets lack. Both files keep their original names, so
 * that the service worker caches them on first use (sw/tools.ts) instead of precaching them.
 */
async function addresses() {
  const [{ default: reader }, { default: worker }] = await Promise.all([
    import('pdfjs-dist/legacy/build/pdf.min.mjs?url'),
    import('pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'),
  ]);
  return { reader, worker };
}

/** Lets the service worker cache the reader before the first PDF is opened. Rejects if it cannot be fetched. */
export async function bringReader(): Promise<void> {
  for (const address of Object.values(await addresses())) await (await fetch(address, { priority: 'low' })).blob();
}

async function loadReader(): Promise<Reader> {
  const { reader, worker } = await addresses();
  const pdfjs = (await import(/* @vite-ignore */ reader)) as typeof import('pdfjs-dist');
  const port = new Worker(vouchedFor(worker), { type: 'module' });
  const shared = pdfjs.PDFWorker.create({ port });
  // Scripts in a file do not run, and resources it refers to are not fetched.
  return (bytes) => pdfjs.getDocument({ data: bytes, worker: shared, enableXfa: false }).promise;
}

/** The page's policy (`require-trusted-types-for 'script'`) allows a worker to start only from a trusted URL. */
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
