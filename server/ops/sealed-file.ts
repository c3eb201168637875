import { type CipherGCM, createCipheriv, createDecipheriv, type DecipherGCM, randomBytes, scrypt } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { OWN_ONLY } from './data-folder.ts';

/*
 * A sealed file: the mark, a salt, and the content in pieces, each encrypted and authenticated with AES-256-GCM. A piece's
 * nonce is its number and whether it is the last, so that no piece can be moved, left out or cut off (the STREAM
 * construction of https://eprint.iacr.org/2015/189). scrypt derives the key from the secret and the salt. Memory: two
 * pieces, whatever the size.
 */
const MARK = Buffer.from('Voltdesk sealed 1\n');
const SALT = 16;
const TAG = 16;
const PIECE = 1024 * 1024;
const CIPHER = 'aes-256-gcm';
/** 64 MB and a tenth of a second per guess. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

/** The file cannot be opened with this secret: the secret is wrong, or the file was changed or truncated. */
export class CannotUnseal extends Error {}

/** True for a file that `seal` wrote. */
export async function isSealed(path: string): Promise<boolean> {
  return withFile(path, 'r', async (file) => (await pieceOf(file, MARK.length)).equals(MARK));
}

/** Writes an encrypted copy of a file to a new file that only this user may read. */
export async function seal(source: string, target: string, secret: string): Promise<void> {
  const head = Buffer.concat([MARK, randomBytes(SALT)]);
  const key = await keyOf(secret, head);
  await copyPieces({ source, target, skip: 0, piece: PIECE, head }, (content, nonce) => {
    const cipher: CipherGCM = createCipheriv(CIPHER, key, nonce).setAAD(head);
    return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  });
}

/**
 * Writes the content of a sealed file to a new file that only this user may read. Throws CannotUnseal. What was written
 * until then is authentic but incomplete and must be discarded.
 */
export async function unseal(source: string, target: string, secret: string): Promise<void> {
  const head = await withFile(source, 'r', (file) => pieceOf(file, MARK.length + SALT));
  const key = await keyOf(secret, head);
  await copyPieces({ source, target, skip: head.length, piece: PIECE + TAG }, (content, nonce) => {
    const decipher: DecipherGCM = createDecipheriv(CIPHER, key, nonce).setAAD(head);
    try {
      decipher.setAuthTag(content.subarray(-TAG));
      return Buffer.concat([decipher.update(content.subarray(0, -TAG)), decipher.final()]);
    } catch (cause) {
      throw new CannotUnseal(`${source} cannot be opened with this BACKUP_KEY, or it was changed.`, { cause });
    }
  });
}

function keyOf(secret: string, head: Buffer): Promise<Buffer> {
  return derive(secret, head.subarray(MARK.length), 32, COST);
}

/** A copy in pieces of bytes. `skip` is left out at the start of the source; `head` goes to the start of the target. */
interface Copy {
  readonly source: string;
  readonly target: string;
  readonly skip: number;
  readonly piece: number;
  readonly head?: Buffer;
}

async function copyPieces(copy: Copy, change: (content: Buffer, nonce: Buffer) => Buffer): Promise<void> {
  await withFile(copy.source, 'r', (from) =>
    withFile(copy.target, 'wx', async (to) => {
      if (copy.head !== undefined) await to.writeFile(copy.head);
      const { size } = await from.stat();
      const last = Math.max(Math.ceil((size - copy.skip) / copy.piece), 1) - 1;
      await pieceOf(from, copy.skip);
      for (let number = 0; number <= last; number += 1) {
        await to.writeFile(change(await pieceOf(from, copy.piece), nonceOf(number, number === last)));
      }
      await to.sync();
    }),
  );
}

/** 12 bytes, unique per key: every file has its own key. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(number, 7);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** Reads the next bytes of a file. Fewer at its end. */
async function pieceOf(file: FileHandle, size: number): Promise<Buffer> {
  const piece = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(piece, filled, size - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return piece.subarray(0, filled);
}

async function withFile<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, OWN_ONLY);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
