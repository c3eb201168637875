import { extname } from 'node:path';
import type { StoredFile } from '../uploads/storage.ts';

/** Characters; file systems take 255 bytes. */
const LONGEST_NAME = 80;

/** The Content-Disposition of a file: its original name, ASCII or not (RFC 6266), with the extension of its content. */
export function attachment(file: Pick<StoredFile, 'name' | 'original_name'>): string {
  const name = downloadName(file);
  const plain = name.replaceAll(/[^\w. ()-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * A safe file name: its extension matches the content whatever the file was called, and it contains nothing that reverses the
 * reading direction or means something to a file system.
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
