import { type RefObject, useEffect, useState } from 'react';

/** How a camera stands: asked for, on, or not to be had. */
export type CameraState = 'asked' | 'on' | 'none';

/** Shows the camera at a tablet's back in a `video`, about so many pixels wide, and lets go of it at the end. */
export function useCamera(video: RefObject<HTMLVideoElement | null>, width: number): CameraState {
  const [state, setState] = useState<CameraState>('asked');
  useEffect(() => {
    let stream: MediaStream | undefined;
    let wanted = true;
    const stop = () => stream?.getTracks().forEach((track) => track.stop());
    const start = async () => {
      stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: 'environment', width: { ideal: width } },
      });
      if (!wanted || video.current === null) return stop();
      await show(video.current, stream);
      setState('on');
    };
    start().catch(() => wanted && setState('none'));
    return () => {
      wanted = false;
      stop();
    };
  }, [video, width]);
  return state;
}

function show(video: HTMLVideoElement, stream: MediaStream): Promise<void> {
  video.srcObject = stream;
  return video.play();
}
