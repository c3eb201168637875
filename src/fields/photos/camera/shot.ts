/** Of 1: what a camera's own JPEG has, about. */
const QUALITY = 0.9;

/** What a `video` shows now, as a JPEG named by its moment. Rejects where the camera shows nothing. */
export async function shotOf(video: HTMLVideoElement): Promise<File> {
  const { videoWidth: width, videoHeight: height } = video;
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
  return new File([blob], `photo-${moment(new Date())}.jpg`, { type: 'image/jpeg' });
}

/** To the millisecond: two shots never share a name. */
function moment(date: Date): string {
  return date.toISOString().replace(/[-:Z]/g, '').replace('T', '-').replace('.', '-');
}
