import { RECOVERY_CODES } from '../../src/domain/protocol/second-factor.ts';

/** Excludes characters that are easily confused. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
/** 32 possible characters, 5 bits each: 50 bits, protected by a slow hash and a limit on tries. */
const CODE_LENGTH = 10;
const HALF = CODE_LENGTH / 2;

/** Creates ten codes to keep on paper: `k7fmq-29qxa`. */
export function newRecoveryCodes(randomBytes: (count: number) => Buffer): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
    return `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
  });
}

/** Normalizes a typed recovery code. Undefined if it cannot be one. */
export function recoveryCodeIn(typed: string): string | undefined {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  if (letters.length !== CODE_LENGTH) return undefined;
  return `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
}
