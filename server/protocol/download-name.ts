import { extname } from 'node:path';
import type { StoredFile } from '../uploads/storage.ts';

/** Characters; file systems take 255 bytes. */
const LONGEST_NAME = 80;

/** Under the name that the administrator gave it, also when it is not ASCII (RFC 6266), as what its content is. */
export function attachment(file: Pick<StoredFile, 'name' | 'original_name'>): string {
  const name = downloadName(file);
  const plain = name.replaceAll(/[^\w. ()-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * A name that cannot deceive: its end says what the content is, whatever it was called, and nothing in it turns the direction
 * of reading around or means something to a file system.
 */
export function downloadName({ name, original_name }: Pick<StoredFile, 'name' | 'original_name'>): string {
  const extension = extname(name);
  const clean = original_name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]/gu, '')
    .replace(/[. ]+$/, '');
  const stem = clean.toLowerCase().endsWith(extension) ? clean.slice(0, -extension.length) : clean;
  return `${[...stem.replace(/^[. ]+/, '')].slice(0, LONGEST_NAME).join('') || 'catalog'}${extension}`;
}
