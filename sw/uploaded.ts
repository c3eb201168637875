/** True for the address of an uploaded file on this server. */
export function isUploaded(url: string, origin: string): boolean {
  return url.startsWith(`${origin}/uploads/`);
}
