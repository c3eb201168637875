import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { COMMON_PASSWORDS } from './common-passwords.ts';

const SHORTEST_PASSWORD = 12;
/** Longer ones are refused instead of cut (OWASP ASVS 5.0, 6.2.9 asks for at least 64). */
const LONGEST_PASSWORD = 256;

/** Guesses that somebody needs who knows how people make passwords, as powers of ten: of all of it, and without what is put behind. */
const LEAST_GUESSES = 8;
const LEAST_GUESSES_OF_STEM = 5;
/** Letters and digits. */
const LEAST_BESIDE_NAMES = 6;

/** What is wrong with a password's length, in words for the person who wants to set it; undefined when nothing is. */
export function lengthProblem(password: string): string | undefined {
  const length = [...password].length;
  if (length < SHORTEST_PASSWORD) return `The new password must be at least ${SHORTEST_PASSWORD} characters.`;
  if (length > LONGEST_PASSWORD) return `The new password must not be greater than ${LONGEST_PASSWORD} characters.`;
  return undefined;
}

/**
 * What is wrong with a password that someone wants to set; undefined when it may be used. `ownWords` are names that belong to
 * its owner and to the installation: whoever guesses knows them.
 */
export async function passwordProblem(password: string, ownWords: readonly string[]): Promise<string | undefined> {
  const problem = lengthProblem(password);
  if (problem !== undefined) return problem;
  const guesses = await guessing();
  const words = partsOf(ownWords);
  // "Welcome2026!!" is one word with what everybody puts behind it.
  const stem = password.replace(/[^\p{L}]+$/u, '');
  const isWeak =
    isMadeOf(words, password) ||
    guesses(password, words) < LEAST_GUESSES ||
    (stem !== '' && guesses(stem, words) < LEAST_GUESSES_OF_STEM);
  return isWeak ? 'The new password is too common. Choose one that is hard to guess.' : undefined;
}

/** True when hardly anything is left without the names of its owner and of the installation. */
function isMadeOf(words: readonly string[], password: string): boolean {
  const plain = password.toLowerCase();
  const rest = words
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, word) => left.replaceAll(word, ''), plain);
  return rest !== plain && rest.replaceAll(/[\W_]/g, '').length < LEAST_BESIDE_NAMES;
}

/** Names and their parts, as people use them in passwords. */
function partsOf(ownWords: readonly string[]): string[] {
  const parts = ownWords.flatMap((words) => [words, words.replaceAll(/\W+/g, ''), ...words.split(/[\W_]+/)]);
  return [...new Set(parts.map((part) => part.toLowerCase()).filter((part) => part.length > 2))];
}

let estimator: Promise<ZxcvbnFactory> | undefined;

/** Tells how many guesses a password takes, as a power of ten. Its word lists are large, and loaded when somebody first needs them. */
async function guessing(): Promise<(password: string, words: string[]) => number> {
  estimator ??= load();
  const loaded = await estimator;
  return (password, words) => loaded.check(password, words).guessesLog10;
}

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const dictionary = { ...common.dictionary, ...english.dictionary, here: [...COMMON_PASSWORDS] };
  return new ZxcvbnFactory({ dictionary, graphs: common.adjacencyGraphs });
}
