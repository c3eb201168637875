import texts from './de.json' with { type: 'json' };
import { sentenceReader } from './sentences.ts';
import type { Catalogue } from './t.ts';

const messages: Readonly<Record<string, string>> = texts.messages;
const phrases: Readonly<Record<string, Readonly<Record<string, string>>>> = texts.phrases;
const choices: Readonly<Record<string, string>> = texts.choices;

/** German. */
export const catalogue: Catalogue = {
  locale: 'de',
  direction: 'ltr',
  message: (source) => messages[source],
  sentence: sentenceReader({ ...messages, ...texts.sentences }, ','),
  phrase: (message, what) => phrases[message]?.[what],
  choice: (value) => choices[value],
  breaks: texts.breaks,
};
