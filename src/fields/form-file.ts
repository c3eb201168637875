import { type AttachmentField, isManyFiles } from '../domain/fields.ts';

/** A file picked into a form, its bytes already copied: the device may take back access to a picked file at any time. */
export interface FormFile {
  /** Tells apart the files of one form. */
  readonly key: string;
  /** The field's name, without `[]`. */
  readonly field: string;
  readonly blob: Blob;
  readonly name: string;
  readonly type: string;
  /** Lower-case hexadecimal SHA-256, where the browser can tell: it does so on secure pages only. */
  readonly sha256?: string;
  /** Bytes before the photo was made smaller; absent when it is as it was picked. */
  readonly originalSize?: number;
}

/** The files of one field, in the order in which they will be sent. */
export function filesOf(files: readonly FormFile[], field: AttachmentField): FormFile[] {
  return files.filter((file) => file.field === field.name);
}

/** Adds files to a form: `images` grows, `image` and `file` keep the newest only. */
export function withFiles(
  files: readonly FormFile[],
  field: AttachmentField,
  added: readonly FormFile[],
): readonly FormFile[] {
  if (isManyFiles(field)) return [...files, ...added];
  const newest = added.at(-1);
  return newest === undefined ? files : [...files.filter((file) => file.field !== field.name), newest];
}

/** Moves a file to another place among the files of its field. */
export function withFileMoved(files: readonly FormFile[], key: string, to: number): readonly FormFile[] {
  const moved = files.find((file) => file.key === key);
  if (moved === undefined) return files;
  const own = files.filter((file) => file.field === moved.field && file.key !== key);
  own.splice(Math.max(0, Math.min(to, own.length)), 0, moved);
  return [...files.filter((file) => file.field !== moved.field), ...own];
}
