import type { PDFPageProxy } from 'pdfjs-dist';

/** Some tablets refuse a canvas with more pixels. */
const MOST_PIXELS = 12_000_000;

/** Draws a page at a width in CSS pixels and the resolution of the screen. Rejects when `signal` is aborted. */
export async function drawPage(
  page: PDFPageProxy,
  canvas: HTMLCanvasElement,
  width: number,
  signal: AbortSignal,
): Promise<void> {
  const plain = page.getViewport({ scale: 1 });
  const wanted = (width / plain.width) * devicePixelRatio;
  const most = Math.sqrt(MOST_PIXELS / (plain.width * plain.height));
  const viewport = page.getViewport({ scale: Math.min(wanted, most) });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const task = page.render({ canvas, viewport });
  signal.addEventListener('abort', () => task.cancel());
  await task.promise;
}

/** Returns the text of a page, for screen readers. */
export async function textOnPage(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : ' ') : '')).join('');
}
