import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { styled } from '@mui/material/styles';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { SHARE_PATH } from '../../domain/share.ts';
import { emptied } from '../../fields/photos/emptied.ts';
import { TAKING_SHARED } from '../../resource/paths.ts';
import { openPanel } from '../../stores/panels.ts';
import { useFinds } from '../find/use-finds.ts';
import { type CameraState, useCamera } from '../../fields/photos/camera/use-camera.ts';
import { useCodeIn, useCodesOf } from './use-codes.ts';
import { leadOf, takesPhotos } from './where-to.ts';
import { msg, say, t } from '../../language/t.ts';

/** Finds a record by the code on its label or nameplate, from the camera or a photo. */
export default function ScanDialog({ onClose }: { onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const camera = useCamera(video, PIXELS);
  const finds = useFinds();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [notice, setNotice] = useState<string>();
  const [photo, setPhoto] = useState<File>();
  const found = (text: string) => {
    const lead = leadOf(text, location.origin, finds);
    // On the screen of shared photos, a code selects their record; that screen has its own search.
    const forShared = pathname === SHARE_PATH;
    if ('query' in lead) {
      openPanel(forShared ? undefined : 'find', lead.query);
      return true;
    }
    if (forShared && !takesPhotos(lead.to)) {
      setNotice(t('The record with this code doesn’t take photos. Yours are kept: scan another label.'));
      return false;
    }
    onClose();
    void navigate(lead.to, forShared ? { state: TAKING_SHARED, replace: true } : undefined);
    return true;
  };
  const hearer = { found, tell: setNotice };
  useCodesOf(video, camera, hearer);
  useCodeIn(photo, hearer);
  // the screen of shared photos has its own search
  const type = () => openPanel(pathname === SHARE_PATH ? undefined : 'find');
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
        <Button onClick={type} color="inherit">
          {t('Type it instead')}
        </Button>
        <Photo>
          <input
            type="file"
            accept="image/*"
            aria-label={t('Use a photo')}
            onChange={(event) => setPhoto(emptied(event.target)[0])}
          />
          <span aria-hidden>{t('Use a photo')}</span>
        </Photo>
      </DialogActions>
    </Dialog>
  );
}

const PIXELS = 1920;

const WORDS: Readonly<Record<CameraState, string>> = {
  asked: msg('Starting the camera…'),
  on: msg('Point the camera at the code on a label or nameplate.'),
  none: msg('No camera available. Take a photo of the code instead.'),
};

const Stage = styled('div')({
  overflow: 'hidden',
  borderRadius: 14,
  backgroundColor: '#101416',
  aspectRatio: '4 / 3',
  '& + output': { display: 'block', marginTop: 12 },
  '& video': { display: 'block', width: '100%', height: '100%', objectFit: 'cover' },
});

// Styled like the button next to it, but the element pressed is the browser's file picker.
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
