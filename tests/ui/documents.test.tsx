import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PDFPageProxy } from 'pdfjs-dist';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { drawPage, textOnPage } from '../../src/fields/documents/draw-page.ts';
import { FirstPage } from '../../src/fields/documents/first-page.tsx';
import { openPdf } from '../../src/fields/documents/pdf-reader.ts';
import PdfViewer from '../../src/fields/documents/pdf-viewer.tsx';
import { usePdf } from '../../src/fields/documents/use-pdf.ts';

/** PDFs as the app shows them, with a fake reader. */

vi.mock('../../src/fields/documents/pdf-reader.ts', () => ({ openPdf: vi.fn() }));

const close = vi.fn<() => void>();
const disconnected = vi.fn<() => void>();
const cancel = vi.fn<() => void>();

/** A page of this many points, which is drawn at once. */
function pageOf(width: number, height: number) {
  const drawn: { width: number; height: number }[] = [];
  const page = {
    getViewport: ({ scale }: { scale: number }) => ({ width: width * scale, height: height * scale }),
    render: ({ viewport }: { viewport: { width: number; height: number } }) => {
      drawn.push(viewport);
      return { promise: Promise.resolve(), cancel };
    },
    getTextContent: async () => ({
      items: [{ str: 'Two', hasEOL: false }, { str: 'words.', hasEOL: true }, { type: 'mark' }, { str: 'End' }],
    }),
  };
  return { page: page as unknown as PDFPageProxy, drawn };
}

const pdfOf = (pages: number) => ({ pages, page: async () => pageOf(210, 297).page, close });
const answer = vi.fn<(address: string) => Promise<Response>>();
/** Tells each page whether it is visible. */
let seen: ((isIntersecting: boolean) => void)[] = [];

beforeEach(() => {
  vi.mocked(openPdf).mockImplementation(async () => pdfOf(3));
  vi.stubGlobal('fetch', answer);
  seen = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: (entries: readonly { isIntersecting: boolean }[]) => void) {
        seen.push((isIntersecting) => tell([{ isIntersecting }]));
      }
      observe() {}
      disconnect() {
        disconnected();
      }
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const pdf = (init: ResponseInit = {}) =>
  new Response('%PDF-1.7', { headers: { 'Content-Type': 'application/pdf' }, ...init });
const opened = (blob?: Blob) => renderHook(() => usePdf('/uploads/a.pdf', blob));
const failureOf = async () => {
  const { result } = opened();
  await waitFor(() => expect(result.current.failure).toBeDefined());
  return result.current.failure;
};

test('needs no request for a PDF whose bytes are here, and fetches another from its address', async () => {
  const here = opened(new Blob(['%PDF-1.7']));
  await waitFor(() => expect(here.result.current.pdf?.pages).toBe(3));
  expect(answer).not.toHaveBeenCalled();
  answer.mockResolvedValue(pdf());
  const there = opened();
  await waitFor(() => expect(there.result.current.pdf?.pages).toBe(3));
  expect(answer.mock.lastCall?.[0]).toBe('/uploads/a.pdf');
});

test.each([
  ['is gone', async () => pdf({ status: 404 }), 'This file no longer exists.'],
  ['cannot be fetched', () => Promise.reject(new TypeError('No link.')), /not on this device/],
  ['fails at the server', async () => pdf({ status: 500 }), /not on this device/],
  ['is a page of an intermediary', async () => pdf({ headers: { 'Content-Type': 'text/html' } }), /not on this device/],
])('says why a PDF cannot be shown when it %s', async (_, answers, words) => {
  answer.mockImplementation(answers);
  expect(await failureOf()).toMatch(words);
  expect(openPdf).not.toHaveBeenCalled();
});

test('reports a lost connection during a download', async () => {
  const broken = pdf();
  broken.blob = () => Promise.reject(new TypeError('Terminated.'));
  answer.mockResolvedValue(broken);
  expect(await failureOf()).toBe('The connection was lost.');
});

test.each([
  ['PasswordException', /password-protected/],
  ['InvalidPDFException', /damaged/],
  ['TypeError', /cannot be shown here yet/],
])('explains why a PDF cannot be opened (%s)', async (name, words) => {
  answer.mockImplementation(async () => pdf());
  vi.mocked(openPdf).mockRejectedValue(Object.assign(new Error('No.'), { name }));
  expect(await failureOf()).toMatch(words);
});

test('releases a PDF’s memory when it is no longer shown, even if it opens late', async () => {
  const bytes = new Blob(['%PDF-1.7']);
  const shown = opened(bytes);
  await waitFor(() => expect(shown.result.current.pdf).toBeDefined());
  expect(close).not.toHaveBeenCalled();
  shown.unmount();
  expect(close).toHaveBeenCalledTimes(1);
  const late = Promise.withResolvers<ReturnType<typeof pdfOf>>();
  vi.mocked(openPdf).mockReturnValue(late.promise);
  opened(bytes).unmount();
  late.resolve(pdfOf(1));
  await waitFor(() => expect(close).toHaveBeenCalledTimes(2));
});

test('stops a download that nobody waits for', () => {
  let signal: AbortSignal | null | undefined;
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    signal = init.signal;
    return new Promise(() => undefined);
  });
  opened().unmount();
  expect(signal?.aborted).toBe(true);
});

test('draws a page as sharp as the screen, within the canvas limit of tablets', async () => {
  vi.stubGlobal('devicePixelRatio', 2);
  const { page, drawn } = pageOf(200, 400);
  const canvas = document.createElement('canvas');
  const { signal } = new AbortController();
  await drawPage(page, canvas, 100, signal);
  expect(drawn).toEqual([{ width: 200, height: 400 }]);
  expect([canvas.width, canvas.height]).toEqual([200, 400]);
  await drawPage(page, canvas, 10_000, signal);
  expect(canvas.width * canvas.height).toBeLessThanOrEqual(12_000_000);
  expect(canvas.width * canvas.height).toBeGreaterThan(11_900_000);
});

test('cancels a drawing that is no longer needed', async () => {
  const gone = new AbortController();
  await drawPage(pageOf(200, 400).page, document.createElement('canvas'), 100, gone.signal);
  expect(cancel).not.toHaveBeenCalled();
  gone.abort();
  expect(cancel).toHaveBeenCalledOnce();
});

test('extracts the words of a page, line by line', async () => {
  expect(await textOnPage(pageOf(1, 1).page)).toBe('Two words.\nEnd ');
});

test('shows the first page once it is drawn, and nothing for a damaged document', async () => {
  const { container } = render(<FirstPage blob={new Blob(['%PDF'])} />);
  const drawn = () => container.querySelector('canvas')?.dataset['drawn'];
  expect(drawn()).toBe('false');
  await waitFor(() => expect(drawn()).toBe('true'));
  expect(close).toHaveBeenCalledOnce();
  cleanup();
  vi.mocked(openPdf).mockRejectedValue(new Error('Damaged.'));
  const damaged = render(<FirstPage blob={new Blob(['%PDF'])} />);
  await act(async () => {});
  expect(damaged.container.querySelector('canvas')?.dataset['drawn']).toBe('false');
});

const viewer = (onClose = () => {}) => (
  <PdfViewer name="plan.pdf" address="/uploads/a.pdf" blob={undefined} onClose={onClose} />
);

test('shows which page is in the middle, and offers the text of nearby pages to screen readers', async () => {
  answer.mockImplementation(async () => pdf());
  render(viewer());
  expect(screen.getByText('Opening…')).toBeDefined();
  expect(await screen.findAllByRole('article')).toHaveLength(3);
  expect(screen.queryByText('Opening…')).toBeNull();
  await waitFor(() => expect(seen[5]).toBeDefined());
  // each page asks twice: whether it is near, and whether it is in the middle
  act(() => seen[2]?.(true));
  await waitFor(() => expect(screen.getByRole('article', { name: 'Page 2' }).textContent).toContain('Two words.'));
  expect(screen.getByRole('article', { name: 'Page 1' }).textContent).toBe('');
  act(() => seen[3]?.(true));
  expect(await screen.findByText('· 2 of 3', { exact: false })).toBeDefined();
});

test('drops the drawing of a page that is scrolled away, keeps its text, and draws it again later', async () => {
  answer.mockImplementation(async () => pdf());
  render(viewer());
  await waitFor(() => expect(seen[5]).toBeDefined());
  const second = () => screen.getByRole('article', { name: 'Page 2' });
  const state = () => [second().querySelectorAll('canvas').length, second().textContent];
  for (const isNear of [true, false, true]) {
    await act(async () => seen[2]?.(isNear));
    await waitFor(() => expect(state()).toEqual([isNear ? 1 : 0, 'Two words.\nEnd ']));
  }
});

test('retries a document that could not be fetched on request, and Close closes it', async () => {
  const onClose = vi.fn<() => void>();
  answer.mockRejectedValueOnce(new TypeError('No link.'));
  answer.mockImplementation(async () => pdf());
  render(viewer(onClose));
  expect((await screen.findByRole('alert')).textContent).toContain('not on this device');
  expect(screen.queryByText('Opening…')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findAllByRole('article')).toHaveLength(3);
  expect(screen.queryByRole('alert')).toBeNull();
  const elsewhere = screen.getByRole('link', { name: 'Open in a new tab' });
  expect(['href', 'target', 'rel'].map((name) => elsewhere.getAttribute(name))).toEqual([
    '/uploads/a.pdf',
    '_blank',
    'noreferrer',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('a document scrolls by keyboard, closes by Escape and is no longer observed afterwards', async () => {
  answer.mockImplementation(async () => pdf());
  const onClose = vi.fn<() => void>();
  const { unmount } = render(viewer(onClose));
  await screen.findAllByRole('article');
  expect(document.querySelector<HTMLElement>('.pdf-pages')?.tabIndex).toBe(0);
  await userEvent.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
  expect(disconnected).not.toHaveBeenCalled();
  unmount();
  expect(disconnected).toHaveBeenCalledTimes(seen.length);
});

test('zooms a document from half to four times its size', async () => {
  answer.mockImplementation(async () => pdf());
  render(viewer());
  await screen.findAllByRole('article');
  const width = () => document.querySelector<HTMLElement>('.pdf-sheet')?.style.width;
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  await press('Zoom out');
  expect(width()).toBe('50%');
  expect(screen.getByRole('button', { name: 'Zoom out' }).ariaDisabled).toBe('true');
  await press('Zoom out');
  expect(width()).toBe('50%');
  for (const _ of [1, 2, 3, 4]) await press('Zoom in');
  expect(width()).toBe('400%');
  expect(screen.getByRole('button', { name: 'Zoom in' }).ariaDisabled).toBe('true');
});

test('draws a page again at each zoom level, on a new canvas', async () => {
  const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
  onTestFinished(() => width.mockRestore());
  const { page, drawn } = pageOf(210, 297);
  vi.mocked(openPdf).mockResolvedValue({ pages: 1, page: async () => page, close });
  answer.mockImplementation(async () => pdf());
  render(viewer());
  await screen.findByRole('article');
  const canvas = () => document.querySelector('.pdf-sheet canvas');
  // the page is watched twice: whether it is near, and whether it is in the middle
  await waitFor(() => expect(seen).toHaveLength(2));
  act(() => seen[0]?.(true));
  await waitFor(() => expect(drawn).toHaveLength(1));
  const first = canvas();
  await userEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
  await waitFor(() => expect(drawn).toHaveLength(2));
  expect(canvas()).not.toBe(first);
  expect(cancel).toHaveBeenCalledOnce();
  act(() => seen[0]?.(false));
  expect(canvas()).toBeNull();
});
