/** Returns the lower-case hexadecimal SHA-256. Undefined on insecure pages, where browsers do not offer it. */
export async function sha256(bytes: ArrayBuffer): Promise<string | undefined> {
  if (!('subtle' in crypto)) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
