import CloseIcon from '@mui/icons-material/Close';
import OpenIcon from '@mui/icons-material/OpenInNew';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import { useRef, useState } from 'react';
import { PdfPage } from './pdf-page.tsx';
import { usePdf } from './use-pdf.ts';
import './pdf-viewer.css';
import { t } from '../../language/t.ts';
import { magnified, ZoomButtons } from '../zoom-buttons.tsx';

interface PdfViewerProps {
  readonly name: string;
  readonly address: string;
  /** The bytes, if they are on this device. */
  readonly blob: Blob | undefined;
  readonly onClose: () => void;
}

const SMALLEST_ZOOM = 0.5;

/** The page in the middle of the view, and the number of pages. */
interface Place {
  readonly at: number;
  readonly of: number;
}

/** Shows the pages of a PDF from this device or the server. The app renders it: no connection or other app is needed. */
export default function PdfViewer({ name, address, blob, onClose }: PdfViewerProps) {
  const [zoom, setZoom] = useState(1);
  const [place, setPlace] = useState<Place>();
  const [tries, setTries] = useState(0);
  const magnify = (by: number) => setZoom((now) => magnified(now, by, SMALLEST_ZOOM));
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth={false}
      slotProps={{ paper: { className: 'lightbox pdf-viewer', 'aria-label': name } }}
    >
      <div className="lightbox-bar">
        <span className="lightbox-name" title={name}>
          {name}
        </span>
        <span className="lightbox-place">
          {place !== undefined && ` · ${t('{number} of {count}', { number: place.at, count: place.of })}`}
        </span>
        <ZoomButtons zoom={zoom} least={SMALLEST_ZOOM} onMagnify={magnify} />
        <a
          className="pdf-elsewhere"
          href={address}
          target="_blank"
          rel="noreferrer"
          aria-label={t('Open in a new tab')}
        >
          <OpenIcon aria-hidden />
        </a>
        <button type="button" aria-label={t('Close')} onClick={onClose}>
          <CloseIcon aria-hidden />
        </button>
      </div>
      <Pages
        key={tries}
        address={address}
        blob={blob}
        zoom={zoom}
        onPlace={setPlace}
        onRetry={() => setTries(tries + 1)}
      />
    </Dialog>
  );
}

interface PagesProps extends Pick<PdfViewerProps, 'address' | 'blob'> {
  readonly zoom: number;
  readonly onPlace: (place: Place) => void;
  readonly onRetry: () => void;
}

function Pages({ address, blob, zoom, onPlace, onRetry }: PagesProps) {
  const scrolled = useRef<HTMLDivElement>(null);
  const { pdf, failure } = usePdf(address, blob);
  const count = pdf?.pages ?? 0;
  return (
    <DialogContent className="pdf-pages" tabIndex={0} ref={scrolled}>
      {failure === undefined && pdf === undefined && <output>{t('Opening…')}</output>}
      {failure !== undefined && (
        <div className="pdf-failure" role="alert">
          <p>{failure}</p>
          <button type="button" onClick={onRetry}>
            {t('Try again')}
          </button>
        </div>
      )}
      {pdf !== undefined &&
        Array.from({ length: count }, (_, index) => index + 1).map((number) => (
          <PdfPage
            key={number}
            pdf={pdf}
            number={number}
            zoom={zoom}
            inside={scrolled}
            onShown={(at) => onPlace({ at, of: count })}
          />
        ))}
    </DialogContent>
  );
}
