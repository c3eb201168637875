/** The labels that are read out or shown, beside the texts of elements. */
const LABELS = ['aria-label', 'title', 'placeholder', 'alt'] as const;

/** The words of a text that the pseudo-language would have accented. Texts left untranslated on purpose have none of these letters. */
export function plainWords(text: string): string[] {
  return text.split(/[^\p{Letter}]+/u).filter((word) => /[aceinosuy]/i.test(word));
}

/** The untranslated words of the page in the pseudo-language. */
export function untranslated(): string[] {
  const elements = [...document.body.querySelectorAll('*')];
  const labels = elements.flatMap((element) => LABELS.map((name) => element.getAttribute(name) ?? ''));
  const texts = elements.flatMap(({ childNodes }) =>
    [...childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ textContent }) => textContent ?? ''),
  );
  return [...new Set([...labels, ...texts].flatMap(plainWords))];
}
