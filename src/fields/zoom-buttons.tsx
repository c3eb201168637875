import ZoomInIcon from '@mui/icons-material/ZoomInOutlined';
import ZoomOutIcon from '@mui/icons-material/ZoomOutOutlined';
import { t } from '../language/t.ts';

/** Nothing is shown larger than so many times its size. */
const LARGEST_ZOOM = 4;

/** So many times as large as now, within what can be shown. */
export function magnified(zoom: number, by: number, least: number): number {
  return Math.min(LARGEST_ZOOM, Math.max(least, zoom * by));
}

interface ZoomButtonsProps {
  readonly zoom: number;
  /** Nothing is shown smaller than so many times its size. */
  readonly least: number;
  readonly onMagnify: (by: number) => void;
}

/** Half as large, and twice as large. At its end a control is only called disabled: one that were would drop the focus. */
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
