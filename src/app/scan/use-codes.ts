import { type RefObject, useEffect } from 'react';
import type { CameraState } from '../../fields/photos/camera/use-camera.ts';
import { msg, say, t } from '../../language/t.ts';
import { onAnswer } from '../../stores/connection.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { type CodeReader, codeReader } from './read-code.ts';

/** Pause between two camera frames. Milliseconds. */
const PAUSE = 200;

const MISSING = msg('The code reader isn’t on this device yet. It needs a connection once.');

/** Receives codes and notices. */
interface Hearer {
  /** Returns true if the code leads somewhere. Otherwise the camera keeps scanning. */
  readonly found: (text: string) => boolean;
  readonly tell: (notice: string) => void;
}

/** Scans camera frames until one has a usable code. */
export function useCodesOf(video: RefObject<HTMLVideoElement | null>, camera: CameraState, hearer: Hearer): void {
  const latest = useLatest(hearer);
  useEffect(() => {
    if (camera !== 'on') return undefined;
    const end = new AbortController();
    const look = async () => {
      const read = await codeReader();
      while (!end.signal.aborted) {
        const text = video.current === null ? undefined : await codeOfFrame(read, video.current).catch(noCode);
        if (text !== undefined && !end.signal.aborted && latest.current.found(text)) return;
        await new Promise((rested) => setTimeout(rested, PAUSE));
      }
    };
    look().catch(() => end.signal.aborted || latest.current.tell(say(MISSING)));
    return () => end.abort();
  }, [camera, video, latest]);
}

/** A frame may come from a camera that has paused. The next one may do. */
function noCode(): undefined {
  return undefined;
}

function codeOfFrame(read: CodeReader, video: HTMLVideoElement): Promise<string | undefined> {
  return read(video, Math.max(1, video.videoWidth), Math.max(1, video.videoHeight));
}

/** Looks for a code in a photo. If the reader cannot be loaded, tries again when the server answers. */
export function useCodeIn(photo: File | undefined, hearer: Hearer): void {
  const latest = useLatest(hearer);
  useEffect(() => {
    if (photo === undefined) return undefined;
    const end = new AbortController();
    const tell = (notice: string) => end.signal.aborted || latest.current.tell(notice);
    let isLooking = false;
    const look = async () => {
      if (isLooking) return;
      isLooking = true;
      const read = await codeReader().catch(() => undefined);
      isLooking = read !== undefined;
      if (read === undefined)
        return tell(`${say(MISSING)} ${t('Your photo will be read when the connection returns.')}`);
      const text = await codeIn(photo, read).catch(() => undefined);
      if (text === undefined) tell(t('No readable code in this photo.'));
      else if (!end.signal.aborted) latest.current.found(text);
    };
    tell(t('Looking for a code…'));
    void look();
    end.signal.addEventListener(
      'abort',
      onAnswer(() => void look()),
    );
    return () => end.abort();
  }, [photo, latest]);
}

async function codeIn(photo: File, read: CodeReader): Promise<string | undefined> {
  const picture = await createImageBitmap(photo);
  try {
    return await read(picture, picture.width, picture.height);
  } finally {
    picture.close();
  }
}
