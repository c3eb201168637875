import type { Catalogue } from './t.ts';

/** Brackets around every text. They reveal untranslated and truncated texts. */
const [OPEN, CLOSE] = ['⟦', '⟧'];
const PLAIN = 'aceinosuyACEINOSUY';
const ACCENTED = 'áçéíñóšúýÁÇÉÍÑÓŠÚÝ';

/** Matches a placeholder or the head of a plural or arm, which stay as is, or a single letter. */
const PARTS = /\{\w+(?:\}|, plural,)|\b(?:=\d+|zero|one|two|few|many|other) \{|[a-z]/gi;

/** A pseudo-language: accented, 40 % longer, right to left. Shows how long texts and a mirrored layout affect a screen. */
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
