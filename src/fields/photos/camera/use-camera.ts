import { type RefObject, useEffect, useState } from 'react';

/** The state of the camera: requested, on, or unavailable. */
export type CameraState = 'asked' | 'on' | 'none';

/** Shows the rear camera in a `video`, at about `width` pixels, and releases it on unmount. */
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
