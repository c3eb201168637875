/** True for the address of a file that was uploaded to this server. */
export function isUploaded(url: string, origin: string): boolean {
  return url.startsWith(`${origin}/uploads/`);
}
