import type { PDFPageProxy } from 'pdfjs-dist';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { drawPage, textOnPage } from './draw-page.ts';
import type { OpenPdf } from './pdf-reader.ts';
import { t } from '../../language/t.ts';

interface PdfPageProps {
  readonly pdf: OpenPdf;
  /** The page number, starting at 1. */
  readonly number: number;
  readonly zoom: number;
  /** The scroll container. */
  readonly inside: RefObject<HTMLElement | null>;
  /** Called when the page reaches the middle of the view. */
  readonly onShown: (number: number) => void;
}

/** A4 portrait, until the page has loaded. */
const USUAL_SHAPE = 210 / 297;
/** Pages within one screen of the view are drawn, and others released: 100 drawn pages would exhaust the memory. */
const AHEAD = '100% 0px';

/** One page, drawn while it is near the view, with its text for screen readers. */
export function PdfPage({ pdf, number, zoom, inside, onShown }: PdfPageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const near = useSeen(frame, inside, AHEAD);
  const inMiddle = useSeen(frame, inside, '-50% 0px');
  const [page, setPage] = useState<PDFPageProxy>();
  const [text, setText] = useState('');
  const shown = useEffectEvent(onShown);
  useEffect(() => {
    if (inMiddle) shown(number);
  }, [inMiddle, number]);
  useEffect(() => {
    if (!near) return undefined;
    let wanted = true;
    const read = async () => {
      const found = await pdf.page(number);
      if (wanted) setPage(found);
      const words = await textOnPage(found);
      if (wanted) setText(words);
    };
    // If the PDF is closed meanwhile or the page is damaged, the frame stays empty.
    void read().catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [near, pdf, number]);
  const shape = page === undefined ? USUAL_SHAPE : shapeOf(page);
  return (
    <article aria-label={t('Page {number}', { number })} className="pdf-page">
      <div ref={frame} className="pdf-sheet" style={{ aspectRatio: shape, width: `${zoom * 100}%` }}>
        {near && page !== undefined && <Sheet key={zoom} page={page} frame={frame} />}
      </div>
      <VisuallyHidden>{text}</VisuallyHidden>
    </article>
  );
}

/** A canvas cannot be drawn on twice at once, so each zoom level gets its own. */
function Sheet({ page, frame }: { page: PDFPageProxy; frame: RefObject<HTMLElement | null> }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const gone = new AbortController();
    const width = frame.current?.clientWidth ?? 0;
    const onto = canvas.current;
    if (onto !== null && width > 0) void drawPage(page, onto, width, gone.signal).catch(() => undefined);
    return () => gone.abort();
  }, [page, frame]);
  return <canvas ref={canvas} aria-hidden />;
}

function useSeen(target: RefObject<HTMLElement | null>, root: RefObject<HTMLElement | null>, rootMargin: string) {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (target.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? false), {
      root: root.current,
      rootMargin,
    });
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [target, root, rootMargin]);
  return seen;
}

function shapeOf(page: PDFPageProxy): number {
  const { width, height } = page.getViewport({ scale: 1 });
  return width / height;
}
