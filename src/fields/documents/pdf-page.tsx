import type { PDFPageProxy } from 'pdfjs-dist';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { drawPage, textOnPage } from './draw-page.ts';
import type { OpenPdf } from './pdf-reader.ts';
import { t } from '../../language/t.ts';

interface PdfPageProps {
  readonly pdf: OpenPdf;
  /** From 1. */
  readonly number: number;
  readonly zoom: number;
  /** What scrolls. */
  readonly inside: RefObject<HTMLElement | null>;
  /** Told when the page comes to the middle. */
  readonly onShown: (number: number) => void;
}

/** A4, upright, until the page itself tells. */
const USUAL_SHAPE = 210 / 297;
/** Pages are drawn a screen before they come into sight, and let go of behind that: a catalogue of 100 pages fits no memory. */
const AHEAD = '100% 0px';

/** One page: drawn while it is near, its text for those who listen. */
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
    // closed in the middle of it, or a page that is damaged: its frame stays empty
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

/** A canvas that is being drawn on takes no second drawing: another size is another one. */
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
