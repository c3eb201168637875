import { RECOVERY_CODES } from '../../src/domain/protocol/second-factor.ts';

/** Without letters and digits that are taken for one another. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
/** 32 characters to choose from, 5 bits each: 50 bits, behind a slow hash and few tries. */
const CODE_LENGTH = 10;
const HALF = CODE_LENGTH / 2;

/** Ten codes to keep on paper: `k7fmq-29qxa`. */
export function newRecoveryCodes(randomBytes: (count: number) => Buffer): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
    return `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
  });
}

/** A recovery code as it was typed, in its one form; undefined for what cannot be one. */
export function recoveryCodeIn(typed: string): string | undefined {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  if (letters.length !== CODE_LENGTH) return undefined;
  return `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
}
