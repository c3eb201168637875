import { UNITS } from './resources/units.ts';

/** A number with its unit, in the base unit: 20 kVA is `{ amount: 20000, unit: 'va' }`. */
export interface Quantity {
  readonly amount: number;
  readonly unit: string;
}

const NAMES = Object.keys(UNITS).toSorted((one, other) => other.length - one.length);
const NUMBER = String.raw`\d+(?:[.,]\d+)*`;
/** Not within a word or another number: the "5w" of "SG5WX" is none. */
const QUANTITY = new RegExp(`(?<![a-z0-9.,])(${NUMBER})\\s*(${NAMES.join('|')})(?![a-z0-9])`, 'gi');
const LEADING = new RegExp(`^(${NUMBER})\\s*(${NAMES.join('|')})(?![a-z0-9])`, 'i');
const BEGUN = new RegExp(`(?<![a-z0-9.,])(${NUMBER})\\s+([a-z]{1,4})$`);

/** Every quantity of a text. */
export function quantitiesIn(text: string): Quantity[] {
  return [...text.matchAll(QUANTITY)].map(([, number = '', unit = '']) => quantity(number, unit));
}

/** The quantity that a text begins with, such as a capacity. */
export function leadingQuantity(text: string): Quantity | undefined {
  const [, number, unit] = LEADING.exec(text.trim()) ?? [];
  return number === undefined || unit === undefined ? undefined : quantity(number, unit);
}

/** The text without the spaces before units, so that "20 kVA" and "20kVA" are alike; also before a unit whose typing has begun. */
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

/** "1,000" is a thousand, "0,5" a half. */
function numberIn(text: string): number {
  const plain = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text.replace(',', '.');
  return Number.parseFloat(plain);
}

function quantity(number: string, unit: string): Quantity {
  const { of = unit, factor = 1 } = UNITS[unit.toLowerCase()] ?? {};
  // 0.3 × 1000 is not quite 300
  return { amount: Number((numberIn(number) * factor).toPrecision(12)), unit: of };
}
