import type { Catalogue } from './t.ts';

/** Around every text, so that a text that is shown without the mechanism, or cut off, is seen. */
const [OPEN, CLOSE] = ['⟦', '⟧'];
const PLAIN = 'aceinosuyACEINOSUY';
const ACCENTED = 'áçéíñóšúýÁÇÉÍÑÓŠÚÝ';

/** A placeholder, the head of a plural or of one of its arms: they stay. Or a letter. */
const PARTS = /\{\w+(?:\}|, plural,)|\b(?:=\d+|zero|one|two|few|many|other) \{|[a-z]/gi;

/** Accented, 40 % longer, from right to left: shows in any language's absence what a long or a mirrored one does to a screen. */
export const catalogue: Catalogue = {
  locale: 'en-XA',
  direction: 'rtl',
  message: (source) => pseudo(source),
  sentence: (text) => (text === '' || text.includes(OPEN) ? undefined : pseudo(text)),
  choice: (value) => (value === '' ? undefined : pseudo(value)),
};

function pseudo(text: string): string {
  const longer = ' ····'.repeat(Math.ceil((text.replace(/\{[^}]*\}/g, '').length * 0.4) / 5));
  return `${OPEN}${text.replace(PARTS, (part) => ACCENTED[PLAIN.indexOf(part)] ?? part)}${longer}${CLOSE}`;
}
