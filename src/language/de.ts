import texts from './de.json';
import { sentenceReader } from './sentences.ts';
import type { Catalogue } from './t.ts';

const messages: Readonly<Record<string, string>> = texts.messages;

/** German. */
export const catalogue: Catalogue = {
  locale: 'de',
  direction: 'ltr',
  message: (source) => messages[source],
  sentence: sentenceReader({ ...messages, ...texts.sentences }, ','),
};
