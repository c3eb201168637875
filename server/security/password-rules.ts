import { guessesFor } from './password-guesses.ts';

const SHORTEST_PASSWORD = 12;
/** Longer passwords are refused rather than truncated (OWASP ASVS 5.0, 6.2.9 asks for at least 64). */
const LONGEST_PASSWORD = 256;

/**
 * Minimum guesses for an attacker who knows how people make passwords, as powers of ten: for the whole password, and without
 * its suffix.
 */
const LEAST_GUESSES = 8;
const LEAST_GUESSES_OF_STEM = 5;
/** Minimum number of letters and digits besides names. */
const LEAST_BESIDE_NAMES = 6;

/** A readable problem with a password's length. Undefined if there is none. */
export function lengthProblem(password: string): string | undefined {
  const length = [...password].length;
  if (length < SHORTEST_PASSWORD) return `The new password must be at least ${SHORTEST_PASSWORD} characters.`;
  if (length > LONGEST_PASSWORD) return `The new password must not be greater than ${LONGEST_PASSWORD} characters.`;
  return undefined;
}

/**
 * A readable problem with a new password. Undefined if it is acceptable. `ownWords` are names of its owner and of the
 * installation, which an attacker knows, the owner's first. Throws as `guessesFor`.
 */
export async function passwordProblem(password: string, ownWords: readonly string[]): Promise<string | undefined> {
  const problem = lengthProblem(password);
  if (problem !== undefined) return problem;
  const words = partsOf(ownWords);
  return isMadeOf(words, password) || (await isGuessable(password, words))
    ? 'The new password is too common. Choose one that is hard to guess.'
    : undefined;
}

async function isGuessable(password: string, words: readonly string[]): Promise<boolean> {
  // "Welcome2026!!" is one word with the usual suffix.
  const stem = password.replace(/[^\p{L}]+$/u, '');
  const [whole = 0, ofStem = LEAST_GUESSES] = await guessesFor(stem === '' ? [password] : [password, stem], words);
  return whole < LEAST_GUESSES || ofStem < LEAST_GUESSES_OF_STEM;
}

/** What is no letter or digit of any alphabet. */
const NO_LETTERS = /[^\p{L}\p{M}\p{N}]+/gu;

/** True if little remains besides the names of its owner and of the installation. */
function isMadeOf(words: readonly string[], password: string): boolean {
  const plain = password.toLowerCase();
  const rest = words
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, word) => left.replaceAll(word, ''), plain);
  return rest !== plain && rest.replaceAll(NO_LETTERS, '').length < LEAST_BESIDE_NAMES;
}

/** Names and their parts, in the forms that people use in passwords. */
function partsOf(ownWords: readonly string[]): string[] {
  const parts = ownWords.flatMap((words) => [words, words.replaceAll(NO_LETTERS, ''), ...words.split(NO_LETTERS)]);
  return [...new Set(parts.map((part) => part.toLowerCase()).filter((part) => part.length > 2))];
}
