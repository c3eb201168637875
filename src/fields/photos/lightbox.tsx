import CloseIcon from '@mui/icons-material/Close';
import BackIcon from '@mui/icons-material/ChevronLeft';
import ForthIcon from '@mui/icons-material/ChevronRight';
import Dialog from '@mui/material/Dialog';
import { type KeyboardEvent, useState } from 'react';
import { useStage } from './use-stage.ts';
import { useObjectUrl } from './use-object-url.ts';
import { t } from '../../language/t.ts';
import { magnified, ZoomButtons } from '../zoom-buttons.tsx';

/** A picture to enlarge: its bytes on this device, or its URL. */
export type LargePicture = { readonly key: string; readonly name: string } & (
  | { readonly blob: Blob }
  | { readonly address: string; readonly thumbnail: string }
);

interface LightboxProps {
  readonly pictures: readonly LargePicture[];
  /** The key of the shown picture. Undefined when closed. */
  readonly open: string | undefined;
  readonly onOpen: (key: string | undefined) => void;
}

/**
 * Shows enlarged pictures, one at a time. The close button, Escape or a press outside closes it; the arrow keys move between
 * pictures. A control at its limit is only `aria-disabled`: `disabled` would lose the focus, and with it the arrow keys.
 */
export function Lightbox({ pictures, open, onOpen }: LightboxProps) {
  const [zoom, setZoom] = useState(1);
  const stage = useStage(zoom);
  const at = pictures.findIndex((picture) => picture.key === open);
  const picture = pictures[at];
  const show = (key: string | undefined) => {
    setZoom(1);
    onOpen(key);
  };
  const step = (by: number) => {
    const next = pictures[at + by];
    if (next !== undefined) show(next.key);
  };
  const magnify = (by: number) => setZoom((now) => magnified(now, by, 1));
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') step(-1);
    else if (event.key === 'ArrowRight') step(1);
    else if (event.key === '+') magnify(2);
    else if (event.key === '-') magnify(0.5);
  };
  if (picture === undefined) return null;
  return (
    <Dialog
      open
      onClose={() => show(undefined)}
      onKeyDown={keys}
      maxWidth={false}
      slotProps={{ paper: { className: 'lightbox', 'aria-label': picture.name } }}
    >
      <div className="lightbox-bar">
        <span className="lightbox-name" title={picture.name}>
          {picture.name}
        </span>
        <span className="lightbox-place">
          {pictures.length > 1 && ` · ${t('{number} of {count}', { number: at + 1, count: pictures.length })}`}
        </span>
        <ZoomButtons zoom={zoom} least={1} onMagnify={magnify} />
        <button type="button" aria-label={t('Close')} onClick={() => show(undefined)}>
          <CloseIcon aria-hidden />
        </button>
      </div>
      <div className="lightbox-stage" data-zoomed={zoom > 1} {...stage}>
        <LargeImage key={picture.key} picture={picture} zoom={zoom} />
      </div>
      {pictures.length > 1 && (
        <>
          <button
            type="button"
            className="lightbox-step"
            data-side="left"
            aria-label={t('Previous')}
            aria-disabled={at === 0}
            onClick={() => step(-1)}
          >
            <BackIcon aria-hidden />
          </button>
          <button
            type="button"
            className="lightbox-step"
            data-side="right"
            aria-label={t('Next')}
            aria-disabled={at === pictures.length - 1}
            onClick={() => step(1)}
          >
            <ForthIcon aria-hidden />
          </button>
        </>
      )}
    </Dialog>
  );
}

function LargeImage({ picture, zoom }: { picture: LargePicture; zoom: number }) {
  const { name } = picture;
  if ('blob' in picture) return <BlobImage blob={picture.blob} name={name} zoom={zoom} />;
  return <StoredImage address={picture.address} thumbnail={picture.thumbnail} name={name} zoom={zoom} />;
}

/** Falls back to the thumbnail, which may be all that the device has offline. */
function StoredImage(props: { address: string; thumbnail: string; name: string; zoom: number }) {
  const { address, thumbnail, name, zoom } = props;
  const [failed, setFailed] = useState<readonly string[]>([]);
  const src = [address, thumbnail].find((one) => one !== '' && !failed.includes(one));
  if (src === undefined) return <p className="lightbox-missing">{t('This picture is not on this device yet.')}</p>;
  return <ZoomedImage src={src} name={name} zoom={zoom} onError={() => setFailed([...failed, src])} />;
}

function BlobImage({ blob, name, zoom }: { blob: Blob; name: string; zoom: number }) {
  const src = useObjectUrl(blob);
  return src === undefined ? null : <ZoomedImage src={src} name={name} zoom={zoom} />;
}

function ZoomedImage(props: { src: string; name: string; zoom: number; onError?: () => void }) {
  const { src, name, zoom, onError } = props;
  return (
    <img
      src={src}
      alt={name}
      draggable={false}
      onError={onError}
      style={zoom === 1 ? {} : { maxWidth: 'none', maxHeight: 'none', width: `${zoom * 100}%` }}
    />
  );
}
