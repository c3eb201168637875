import { UNITS } from './resources/units.ts';

/** A number with its unit, converted to the base unit: 20 kVA is `{ amount: 20000, unit: 'va' }`. */
export interface Quantity {
  readonly amount: number;
  readonly unit: string;
}

const NAMES = Object.keys(UNITS).toSorted((one, other) => other.length - one.length);
const NUMBER = String.raw`\d+(?:[.,]\d+)*`;
/** Not inside a word or another number: "SG5WX" contains no "5w". */
const QUANTITY = new RegExp(`(?<![a-z0-9.,])(${NUMBER})\\s*(${NAMES.join('|')})(?![a-z0-9])`, 'gi');
const LEADING = new RegExp(`^(${NUMBER})\\s*(${NAMES.join('|')})(?![a-z0-9])`, 'i');
const BEGUN = new RegExp(`(?<![a-z0-9.,])(${NUMBER})\\s+([a-z]{1,4})$`);

/** All quantities in a text. */
export function quantitiesIn(text: string): Quantity[] {
  return [...text.matchAll(QUANTITY)].map(([, number = '', unit = '']) => quantity(number, unit));
}

/** The quantity that a text begins with, such as a capacity. */
export function leadingQuantity(text: string): Quantity | undefined {
  const [, number, unit] = LEADING.exec(text.trim()) ?? [];
  return number === undefined || unit === undefined ? undefined : quantity(number, unit);
}

/** Removes spaces before units, even partly typed ones, so that "20 kVA" and "20kVA" match. */
export function joinedQuantities(text: string): string {
  const joined = text.replaceAll(QUANTITY, (_, number: string, unit: string) => number + unit);
  return joined.replace(BEGUN, (whole, number: string, letters: string) =>
    NAMES.some((name) => name.startsWith(letters.toLowerCase())) ? number + letters : whole,
  );
}

/** The text without its quantities. */
export function withoutQuantities(text: string): string {
  return text.replaceAll(QUANTITY, ' ');
}

/** Parses a number: "1,000" is a thousand, "0,5" is a half, "1.000.000" is a million. "1.000" is one, as in a data sheet. */
function numberIn(text: string): number {
  if (/^\d{1,3}(\.\d{3})+(\.\d{3}|,\d+)$/.test(text)) return numberIn(text.replaceAll('.', ''));
  const plain = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text.replace(',', '.');
  return Number.parseFloat(plain);
}

function quantity(number: string, unit: string): Quantity {
  const { of = unit, factor = 1 } = UNITS[unit.toLowerCase()] ?? {};
  // floating point: 0.3 × 1000 is not exactly 300
  return { amount: Number((numberIn(number) * factor).toPrecision(12)), unit: of };
}
