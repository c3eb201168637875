/** A value for a placeholder. Strings are inserted as is, numbers are formatted for the locale. */
export type Value = string | number;

/** The text before a plural arm such as ` one {# change}`. */
type Arm = `${string} ${'zero' | 'one' | 'two' | 'few' | 'many' | 'other' | `=${number}`} `;
type Head<Text extends string> = Text extends `${infer Name}, plural,${string}` ? Name : Text;

/** The placeholder names of a message: 'name' | 'count' for `{name}: {count, plural, one {# change} other {# changes}}`. */
export type NamesOf<Message extends string> = Message extends `${infer Before}{${infer Inner}}${infer Rest}`
  ? Before extends Arm
    ? NamesOf<`${Inner}}${Rest}`>
    : Inner extends `${string}, plural, ${string} {${infer First}`
      ? Head<Inner> | NamesOf<`${First}}`> | NamesOf<Rest>
      : Inner | NamesOf<Rest>
  : never;

const PLACE = /\{(\w+)(?:, plural,((?: (?:=\d+|\w+) \{(?:[^{}]|\{\w+\})*\})+))?\}/g;
const ARMS = /(=\d+|\w+) \{((?:[^{}]|\{\w+\})*)\}/g;

/**
 * Fills values into a message. Supports a subset of ICU MessageFormat: `{name}` and
 * `{count, plural, =0 {…} one {# change} other {# changes}}`. A placeholder without a value is left as is.
 */
export function format(message: string, values: Readonly<Record<string, Value>>, locale: string): string {
  if (!message.includes('{')) return message;
  return message.replace(PLACE, (whole, name: string, arms?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (arms === undefined) return written(value, locale);
    const text = armFor(Number(value), arms, locale).replaceAll('#', written(value, locale));
    return format(text, values, locale);
  });
}

function armFor(count: number, arms: string, locale: string): string {
  const byCategory = new Map([...arms.matchAll(ARMS)].map(([, category, text]) => [category, text]));
  const category = pluralRules(locale).select(count);
  return byCategory.get(`=${count}`) ?? byCategory.get(category) ?? byCategory.get('other') ?? '';
}

function written(value: Value, locale: string): string {
  return typeof value === 'number' ? numbers(locale).format(value) : value;
}

const numbers = perLocale((locale) => new Intl.NumberFormat(locale));
const pluralRules = perLocale((locale) => new Intl.PluralRules(locale));

/** Memoizes an expensive factory by locale. */
export function perLocale<Made>(make: (locale: string) => Made): (locale: string) => Made {
  const made = new Map<string, Made>();
  return (locale) => {
    const known = made.get(locale) ?? make(locale);
    made.set(locale, known);
    return known;
  };
}
