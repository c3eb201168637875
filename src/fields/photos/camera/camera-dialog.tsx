import CloseIcon from '@mui/icons-material/Close';
import Dialog from '@mui/material/Dialog';
import { useRef, useState } from 'react';
import { useObjectUrl } from '../use-object-url.ts';
import { shotOf } from './shot.ts';
import { type CameraState, useCamera } from './use-camera.ts';
import './camera.css';
import { msg, say, t } from '../../../language/t.ts';

interface CameraDialogProps {
  /** Allows several shots. Otherwise the first one closes the dialog. */
  readonly many: boolean;
  readonly onTaken: (shots: readonly File[]) => Promise<void>;
  /** Opens the device's own camera app, which has flash and zoom. */
  readonly onOwnCamera: () => void;
  readonly onClose: () => void;
}

/** The maximum width of a stored photo. */
const PIXELS = 2560;

const WORDS: Readonly<Record<CameraState, string>> = {
  asked: msg('Starting the camera…'),
  on: '',
  none: msg('The camera can’t be used here.'),
};

/** Takes photos with one press each. With `many`, the camera stays open until *Done*. */
export default function CameraDialog({ many, onTaken, onOwnCamera, onClose }: CameraDialogProps) {
  const video = useRef<HTMLVideoElement>(null);
  const camera = useCamera(video, PIXELS);
  const [shots, setShots] = useState<readonly File[]>([]);
  const [failed, setFailed] = useState(false);
  const shoot = async () => {
    const shot = video.current === null ? undefined : await shotOf(video.current).catch(() => undefined);
    setFailed(shot === undefined);
    if (shot === undefined) return;
    setShots((before) => [...before, shot]);
    void onTaken([shot]);
    if (!many) onClose();
  };
  const last = shots.at(-1);
  const words = failed ? t('The photo couldn’t be taken. Try again.') : takenWords(shots.length);
  return (
    <Dialog open fullScreen onClose={onClose} slotProps={{ paper: { className: 'camera', 'aria-label': t('Camera') } }}>
      <div className="camera-stage" data-on={camera === 'on'}>
        <video ref={video} muted playsInline aria-label={t('Camera preview')} />
        {/* remounted for every shot, so that the animation restarts */}
        {last !== undefined && <span key={shots.length} className="camera-flash" />}
      </div>
      <button type="button" className="camera-close" aria-label={t('Close')} onClick={onClose}>
        <CloseIcon aria-hidden />
      </button>
      <output className="camera-words">{say(WORDS[camera]) || words}</output>
      <div className="camera-bar">
        <button type="button" className="camera-own" onClick={onOwnCamera}>
          {t('Device camera')}
        </button>
        <button
          type="button"
          className="camera-shutter"
          aria-label={t('Take photo')}
          disabled={camera !== 'on'}
          onClick={() => void shoot()}
        />
        <span className="camera-end">
          {last !== undefined && <Thumbnail shot={last} />}
          {many && (
            <button type="button" className="camera-done" onClick={onClose}>
              {t('Done')}
            </button>
          )}
        </span>
      </div>
    </Dialog>
  );
}

function Thumbnail({ shot }: { shot: File }) {
  const address = useObjectUrl(shot);
  return address === undefined ? null : <img src={address} alt="" />;
}

function takenWords(count: number): string {
  if (count === 0) return '';
  return t('{count, plural, one {# photo taken} other {# photos taken}}', { count });
}
