import { COMMON_PASSWORDS } from './common-passwords.ts';

const SHORTEST_PASSWORD = 12;
/** Longer ones are refused instead of cut (OWASP ASVS 5.0, 6.2.9 asks for at least 64). */
const LONGEST_PASSWORD = 256;

/** What is wrong with a password that someone wants to set, in words for that person; undefined when it may be used. */
export function passwordProblem(password: string): string | undefined {
  const length = [...password].length;
  if (length < SHORTEST_PASSWORD) return `The new password must be at least ${SHORTEST_PASSWORD} characters.`;
  if (length > LONGEST_PASSWORD) return `The new password must not be greater than ${LONGEST_PASSWORD} characters.`;
  if (isCommon(password)) return 'The new password is too common. Choose one that nobody would guess.';
  return undefined;
}

function isCommon(password: string): boolean {
  const plain = password.toLowerCase();
  return COMMON_PASSWORDS.has(plain) || isRepeated(plain) || isRun(plain);
}

/** One to four characters over and over: `abcabcabcabc`. */
function isRepeated(text: string): boolean {
  return /^(.{1,4}?)\1+$/u.test(text) || new Set(text).size <= 2;
}

const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn',
];

/** A stretch of the alphabet, the digits or the keyboard, forwards or backwards. */
function isRun(text: string): boolean {
  return RUNS.some((run) => run.includes(text) || [...run].toReversed().join('').includes(text));
}
