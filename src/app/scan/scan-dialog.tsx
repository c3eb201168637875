import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { styled } from '@mui/material/styles';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { SHARE_PATH } from '../../domain/share.ts';
import { emptied } from '../../fields/photos/emptied.ts';
import { TAKING_SHARED } from '../../resource/paths.ts';
import { openPanel } from '../../stores/panels.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { useFinds } from '../find/use-finds.ts';
import { type CodeReader, codeReader } from './read-code.ts';
import { type CameraState, useCamera } from '../../fields/photos/camera/use-camera.ts';
import { leadOf } from './where-to.ts';
import { msg, say, t } from '../../language/t.ts';

/** Between two looks at the camera's picture. Milliseconds. */
const PAUSE = 200;

/** Finds a record by the code on its label or nameplate: by the camera, or in a photo of it. */
export default function ScanDialog({ onClose }: { onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const camera = useCamera(video, PIXELS);
  const finds = useFinds();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [notice, setNotice] = useState<string>();
  const found = (text: string) => {
    const lead = leadOf(text, location.origin, finds);
    // Where shared photos wait, a code says what they are of, and that screen has a search of its own.
    const forShared = pathname === SHARE_PATH;
    if ('query' in lead) return openPanel(forShared ? undefined : 'find', lead.query);
    onClose();
    void navigate(lead.to, forShared ? { state: TAKING_SHARED, replace: true } : undefined);
  };
  useCodesOf(video, camera, found, setNotice);
  const look = async ([photo]: readonly File[]) => {
    if (photo === undefined) return;
    setNotice(t('Looking for a code…'));
    const text = await codeIn(photo).catch(() => undefined);
    if (text === undefined) setNotice(t('There is no code in this photo that can be read.'));
    else found(text);
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="scan-title">
      <DialogTitle id="scan-title">{t('Scan a code')}</DialogTitle>
      <DialogContent>
        <Stage hidden={camera === 'none'}>
          <video ref={video} muted playsInline aria-label={t('Camera')} />
        </Stage>
        <output>{notice ?? say(WORDS[camera])}</output>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} color="inherit">
          {t('Cancel')}
        </Button>
        <Photo>
          <input
            type="file"
            accept="image/*"
            aria-label={t('Use a photo')}
            onChange={(event) => void look(emptied(event.target))}
          />
          <span aria-hidden>{t('Use a photo')}</span>
        </Photo>
      </DialogActions>
    </Dialog>
  );
}

const PIXELS = 1920;

const WORDS: Readonly<Record<CameraState, string>> = {
  asked: msg('Waiting for the camera…'),
  on: msg('Hold the code on a label or a nameplate into the picture.'),
  none: msg('There is no camera that can be used. Take a photo of the code instead.'),
};

/** Looks at the camera's picture again and again until there is a code in it. */
function useCodesOf(
  video: RefObject<HTMLVideoElement | null>,
  camera: CameraState,
  found: (text: string) => void,
  tell: (notice: string) => void,
): void {
  const latest = useLatest({ found, tell });
  useEffect(() => {
    if (camera !== 'on') return undefined;
    const end = new AbortController();
    const look = async () => {
      const read = await codeReader();
      while (!end.signal.aborted) {
        const text = video.current === null ? undefined : await codeOfFrame(read, video.current);
        if (text !== undefined && !end.signal.aborted) return latest.current.found(text);
        await new Promise((rested) => setTimeout(rested, PAUSE));
      }
    };
    look().catch(
      () =>
        end.signal.aborted ||
        latest.current.tell(t('The reader of codes is not on this device yet: it needs a connection once.')),
    );
    return () => end.abort();
  }, [camera, video, latest]);
}

function codeOfFrame(read: CodeReader, video: HTMLVideoElement): Promise<string | undefined> {
  return read(video, Math.max(1, video.videoWidth), Math.max(1, video.videoHeight));
}

async function codeIn(photo: File): Promise<string | undefined> {
  const [read, picture] = await Promise.all([codeReader(), createImageBitmap(photo)]);
  try {
    return await read(picture, picture.width, picture.height);
  } finally {
    picture.close();
  }
}

const Stage = styled('div')({
  overflow: 'hidden',
  borderRadius: 14,
  backgroundColor: '#101416',
  aspectRatio: '4 / 3',
  '& + output': { display: 'block', marginTop: 12 },
  '& video': { display: 'block', width: '100%', height: '100%', objectFit: 'cover' },
});

// Looks like the button beside it; the browser's own picker is what is pressed.
const Photo = styled('span')(({ theme }) => ({
  ...theme.typography.button,
  position: 'relative',
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  minHeight: 44,
  padding: '6px 16px',
  borderRadius: 10,
  color: theme.vars?.palette.primary.contrastText,
  backgroundColor: theme.vars?.palette.primary.main,
  '& input': { position: 'absolute', inset: 0, width: '100%', opacity: 0, cursor: 'pointer' },
  '&:focus-within': { outline: `2px solid ${theme.vars?.palette.primary.main}`, outlineOffset: 2 },
}));
