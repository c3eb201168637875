import ZoomInIcon from '@mui/icons-material/ZoomInOutlined';
import ZoomOutIcon from '@mui/icons-material/ZoomOutOutlined';
import { t } from '../language/t.ts';

/** The maximum zoom factor. */
const LARGEST_ZOOM = 4;

/** Multiplies a zoom factor, within the limits. */
export function magnified(zoom: number, by: number, least: number): number {
  return Math.min(LARGEST_ZOOM, Math.max(least, zoom * by));
}

interface ZoomButtonsProps {
  readonly zoom: number;
  /** The minimum zoom factor. */
  readonly least: number;
  readonly onMagnify: (by: number) => void;
}

/** Halves and doubles the zoom. At its limit a button is only `aria-disabled`: `disabled` would lose the focus. */
export function ZoomButtons({ zoom, least, onMagnify }: ZoomButtonsProps) {
  return (
    <>
      <button type="button" aria-label={t('Zoom out')} aria-disabled={zoom === least} onClick={() => onMagnify(0.5)}>
        <ZoomOutIcon aria-hidden />
      </button>
      <button
        type="button"
        aria-label={t('Zoom in')}
        aria-disabled={zoom === LARGEST_ZOOM}
        onClick={() => onMagnify(2)}
      >
        <ZoomInIcon aria-hidden />
      </button>
    </>
  );
}
