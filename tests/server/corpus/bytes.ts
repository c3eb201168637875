export type Bytes = Uint8Array<ArrayBuffer>;

/** A file of a corpus: a description and its bytes. */
export type Specimen = readonly [what: string, bytes: Bytes];

/** Concatenates bytes. Texts are taken one byte per character. */
export function bytesOf(...parts: (Uint8Array | string)[]): Bytes {
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1'))));
}

/** The file truncated at each tenth of its length. */
export function cut([what, bytes]: Specimen): Specimen[] {
  return Array.from({ length: 9 }, (_, tenth): Specimen => {
    const length = Math.ceil((bytes.length * (tenth + 1)) / 10);
    return [`${what}, cut off after ${length} bytes`, bytes.slice(0, length)];
  });
}

/** `count` variants of the file with some bytes after its signature changed. Deterministic. */
export function flipped([what, bytes]: Specimen, count: number): Specimen[] {
  return Array.from({ length: count }, (_, seed): Specimen => {
    const copy = bytes.slice();
    for (let k = 0; k < 1 + (seed % 12); k += 1) {
      const at = 12 + ((seed * 7919 + k * 104_729) % Math.max(1, copy.length - 12));
      copy[at] = (seed * 31 + k * 17 + (copy[at] ?? 0)) % 256;
    }
    return [`${what}, with flipped bytes ${seed}`, copy];
  });
}

/** A 32-bit big-endian number. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
