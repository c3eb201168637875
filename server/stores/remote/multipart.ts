import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

/** A form to send to the back end. */
export interface MultipartForm {
  /** Names on the wire. */
  readonly texts: readonly (readonly [name: string, value: string])[];
  readonly files: readonly FormFile[];
}

/** A file on disk. */
export interface FormFile {
  /** The name on the wire, with `[]`. */
  readonly name: string;
  readonly path: string;
  readonly fileName: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** Returns a form's body and its length in bytes. Files are read from disk as they are sent. */
export function multipartBody(form: MultipartForm): { stream: Readable; length: number; type: string } {
  const boundary = `voltdesk-${randomBytes(18).toString('hex')}`;
  const texts = form.texts.map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`),
  );
  const heads = form.files.map((file) => headOf(boundary, file));
  const end = Buffer.from(`--${boundary}--\r\n`);
  const length =
    [...texts, ...heads, end].reduce((sum, part) => sum + part.length, 0) +
    form.files.reduce((sum, { size }) => sum + size + 2, 0);
  async function* parts() {
    yield* texts;
    for (const [index, file] of form.files.entries()) {
      yield heads[index];
      yield* createReadStream(file.path);
      yield Buffer.from('\r\n');
    }
    yield end;
  }
  const stream = Readable.from(parts(), { objectMode: false });
  return { stream, length, type: `multipart/form-data; boundary=${boundary}` };
}

function headOf(boundary: string, { name, fileName, type }: FormFile): Buffer {
  return Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"; filename="${quoted(fileName)}"\r\n` +
      `Content-Type: ${type}\r\n\r\n`,
  );
}

/** Quotes a text as browsers do (https://html.spec.whatwg.org/#multipart-form-data). */
function quoted(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
