import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';
import { COMMON_PASSWORDS } from './common-passwords.ts';

/** The passwords to estimate, and names that an attacker knows. */
export interface GuessQuestion {
  readonly passwords: readonly string[];
  readonly words: readonly string[];
}

/** The answer, or that the word lists are loaded and questions are answered from now on. */
export type GuessAnswer = { readonly isReady: true } | { readonly guesses: readonly number[] };

const dictionary = { ...common.dictionary, ...english.dictionary, here: [...COMMON_PASSWORDS] };
const estimator = new ZxcvbnFactory({ dictionary, graphs: common.adjacencyGraphs });

/** Estimates passwords on a thread of its own: some of them take seconds. */
parentPort?.on('message', ({ passwords, words }: GuessQuestion) => {
  const guesses = passwords.map((password) => estimator.check(password, [...words]).guessesLog10);
  parentPort?.postMessage({ guesses } satisfies GuessAnswer, []);
});
parentPort?.postMessage({ isReady: true } satisfies GuessAnswer, []);
