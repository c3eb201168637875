/** The SHA-256 of bytes in lower-case hexadecimal, or undefined on a page that is not secure, where browsers don't offer it. */
export async function sha256(bytes: ArrayBuffer): Promise<string | undefined> {
  if (!('subtle' in crypto)) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
