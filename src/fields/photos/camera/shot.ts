/** JPEG quality from 0 to 1. Close to that of a camera's own JPEG. */
const QUALITY = 0.9;

/** Captures the current frame of a `video` as a JPEG named by the time. Rejects if the camera shows nothing. */
export async function shotOf(video: HTMLVideoElement): Promise<File> {
  const { videoWidth: width, videoHeight: height } = video;
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
  return new File([blob], `photo-${moment(new Date())}.jpg`, { type: 'image/jpeg' });
}

/** A time with milliseconds, so that no two shots share a name. */
function moment(date: Date): string {
  return date.toISOString().replace(/[-:Z]/g, '').replace('T', '-').replace('.', '-');
}
