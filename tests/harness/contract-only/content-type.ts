/** File types detected by content, named by the extension that a stored file gets. */
export type ContentType = 'jpg' | 'png' | 'gif' | 'webp' | 'pdf' | 'doc' | 'docx';

const SIGNATURES: readonly [ContentType, number, readonly number[]][] = [
  ['jpg', 0, [0xff, 0xd8, 0xff]],
  ['png', 0, [0x89, 0x50, 0x4e, 0x47]],
  ['gif', 0, [0x47, 0x49, 0x46, 0x38]],
  ['webp', 8, [0x57, 0x45, 0x42, 0x50]],
  ['pdf', 0, [0x25, 0x50, 0x44, 0x46]],
  ['doc', 0, [0xd0, 0xcf, 0x11, 0xe0]],
  ['docx', 0, [0x50, 0x4b, 0x03, 0x04]],
];

/** Detects the type from the first bytes. Undefined for any other type. */
export function contentType(bytes: Uint8Array): ContentType | undefined {
  return SIGNATURES.find(([, offset, signature]) => signature.every((byte, i) => bytes[offset + i] === byte))?.[0];
}

/** The media types of served files. */
export const MEDIA_TYPES: Readonly<Record<ContentType, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};
