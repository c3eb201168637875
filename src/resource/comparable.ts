/** Lower case without accents, so that "muller" finds "Müller". */
export function comparable(text: string): string {
  const lower = text.toLowerCase();
  // Most texts are plain ASCII; normalising them all would cost more than the search itself.
  return /^[ -~]*$/.test(lower) ? lower : lower.normalize('NFKD').replaceAll(/\p{Mark}/gu, '');
}
