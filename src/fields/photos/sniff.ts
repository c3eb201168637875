import type { FileType } from '../../domain/fields.ts';

/** A type detected from the first bytes. HEIC is included so that it can be converted, or refused with a clear message. */
export type SniffedType = FileType | 'image/heic' | undefined;

/** The number of bytes that `sniffType` needs. */
export const SNIFF_BYTES = 32;

/**
 * Detects a file's type from its first bytes. Names and the browser's `type` are unreliable: cameras, mail programs and
 * Android's pickers leave them empty or wrong, and the server checks the content.
 */
export function sniffType(bytes: Uint8Array, name: string): SniffedType {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47])) return 'image/png';
  if (ascii(bytes, 0, 4) === 'GIF8') return 'image/gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
  if (ascii(bytes, 4, 8) === 'ftyp' && /^(hei[cfmsx]|hev[cmsx]|mif1|msf1)/.test(ascii(bytes, 8, 12)))
    return 'image/heic';
  if (ascii(bytes, 0, 5) === '%PDF-') return 'application/pdf';
  return officeType(bytes, name);
}

/** Word's containers (ZIP, OLE) are shared with other formats, so the file name decides. */
function officeType(bytes: Uint8Array, name: string): SniffedType {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) && /\.docx$/i.test(name)) {
    return 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  }
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]) && /\.doc$/i.test(name)) return 'application/msword';
  return undefined;
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
