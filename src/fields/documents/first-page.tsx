import { useEffect, useRef, useState } from 'react';
import { drawPage } from './draw-page.ts';
import { openPdf } from './pdf-reader.ts';

/** The width of the largest preview. CSS pixels. */
const WIDTH = 72;

interface FirstPageProps {
  readonly blob: Blob;
  readonly className?: string;
}

/** The first page of a PDF whose bytes are on this device. Stays empty if the PDF cannot be read. */
export function FirstPage({ blob, className }: FirstPageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    const gone = new AbortController();
    const draw = async (onto: HTMLCanvasElement) => {
      const pdf = await openPdf(blob);
      try {
        await drawPage(await pdf.page(1), onto, WIDTH, gone.signal);
        if (!gone.signal.aborted) setDrawn(true);
      } finally {
        pdf.close();
      }
    };
    // A failure needs no message: the surrounding card names the file anyway.
    if (canvas.current !== null) void draw(canvas.current).catch(() => undefined);
    return () => gone.abort();
  }, [blob]);
  return <canvas ref={canvas} aria-hidden className={className} data-drawn={drawn} />;
}
