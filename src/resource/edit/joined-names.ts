import { t } from '../../language/t.ts';

/** "Anna", "Anna and Omar", "Anna and 2 others". Empty for nobody. */
export function joinedNames(names: readonly string[]): string {
  const [first = '', second = ''] = names;
  if (names.length < 3) return names.length < 2 ? first : t('{first} and {second}', { first, second });
  return t('{first} and {count} others', { first, count: names.length - 1 });
}
