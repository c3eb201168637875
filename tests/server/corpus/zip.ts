import { deflateRawSync } from 'node:zlib';
import { type Bytes, bytesOf } from './bytes.ts';

/** A ZIP archive without checksums, whose members are stored uncompressed, or deflated. */
export function zipOf(members: Readonly<Record<string, Uint8Array>>, isDeflated = false): Bytes {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  const method = isDeflated ? 8 : 0;
  for (const [name, plain] of Object.entries(members)) {
    const content = isDeflated ? deflateRawSync(plain) : plain;
    const file = Buffer.concat([
      header('PK\x03\x04', 30, { 8: method, 18: content.length, 22: plain.length }, 26, name),
      content,
    ]);
    const sizes = { 10: method, 20: content.length, 24: plain.length, 42: at };
    directory.push(header('PK\x01\x02', 46, sizes, 28, name));
    files.push(file);
    at += file.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(at, 16);
  return bytesOf(...files, ...directory, end);
}

/** A header of this length with numbers of four bytes at these places, the length of the name, and the name behind it. */
function header(mark: string, length: number, numbers: Readonly<Record<number, number>>, nameAt: number, name: string) {
  const bytes = Buffer.alloc(length);
  bytes.write(mark, 'latin1');
  for (const [place, number] of Object.entries(numbers)) bytes.writeUInt32LE(number, Number(place));
  bytes.writeUInt16LE(name.length, nameAt);
  return Buffer.concat([bytes, Buffer.from(name, 'latin1')]);
}
