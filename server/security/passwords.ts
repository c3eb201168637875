import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { argon2id } from './hashing-threads.ts';

/** The cost of one hash: memory in KiB, passes over it, lanes. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** Above the OWASP minimum for argon2id (19 MiB, t=2, p=1). */
export const PASSWORD_COST: PasswordCost = { memory: 65_536, passes: 3, parallelism: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;

export interface Passwords {
  /** Returns a hash to store, in PHC format. */
  hash(password: string): Promise<string>;
  /**
   * True if the password matches the stored hash. Without one it takes as long and returns false. `goesFirst` skips ahead of
   * strangers. Throws 429 if too many wait.
   */
  verify(password: string, stored: string | undefined, goesFirst?: boolean): Promise<boolean>;
  /** Returns hashes to store for several secrets of one person. They share a salt. */
  hashSet(secrets: readonly string[]): Promise<string[]>;
  /**
   * Returns the matching hash of a set from `hashSet`. Costs one hash, whatever the size of the set. Throws 429 if too many
   * wait.
   */
  find(secret: string, set: readonly string[]): Promise<string | undefined>;
}

/** Password hashing with argon2id at the given cost. */
export function passwordHashing(cost: PasswordCost): Passwords {
  const unknownUser = format(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return format(cost, salt, await argon2id(parametersOf(password, salt, cost), true));
    },
    async verify(password, stored, goesFirst = false) {
      const { salt, hash, cost: storedCost } = parse(stored ?? unknownUser);
      const same = timingSafeEqual(await argon2id(parametersOf(password, salt, storedCost), goesFirst), hash);
      return same && stored !== undefined;
    },
    async hashSet(secrets) {
      const salt = randomBytes(SALT_BYTES);
      const hashes: string[] = [];
      for (const secret of secrets)
        hashes.push(format(cost, salt, await argon2id(parametersOf(secret, salt, cost), true)));
      return hashes;
    },
    async find(secret, set) {
      const { salt, cost: storedCost } = parse(set[0] ?? unknownUser);
      const hash = await argon2id(parametersOf(secret, salt, storedCost), false);
      return set.find((stored) => timingSafeEqual(parse(stored).hash, hash));
    },
  };
}

function parametersOf(password: string, nonce: Buffer, cost: PasswordCost): Argon2Parameters {
  return { message: password.normalize('NFKC'), nonce, ...cost, tagLength: HASH_BYTES };
}

function format({ memory, passes, parallelism }: PasswordCost, salt: Buffer, hash: Buffer): string {
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(salt)}$${plain(hash)}`;
}

function parse(stored: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored);
  if (match === null) throw new Error('A stored password hash has an unknown format.');
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, hash] = match.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];
  return { salt, hash, cost: { memory, passes, parallelism } };
}
