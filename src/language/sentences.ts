/** Matches finished sentences to messages: `The brand field is required.` to `The {0} field is required.`. */

interface Pattern {
  readonly expression: RegExp;
  readonly translation: string;
}

const PLACE = /\{(\d)\}/g;

/**
 * Returns a translator of finished English sentences. A sentence translates if it equals a message or matches one with numbered
 * placeholders, whose values are translated likewise. The longest matching message wins.
 */
export function sentenceReader(messages: Readonly<Record<string, string>>, decimal: string) {
  const patterns = Object.entries(messages)
    .filter(([source]) => source.includes('{0}'))
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([source, translation]) => ({ expression: expressionOf(source), translation }));
  const read = (text: string): string | undefined => (Object.hasOwn(messages, text) ? messages[text] : fitted(text));
  const fitted = (text: string): string | undefined => {
    for (const pattern of patterns) {
      const values = pattern.expression.exec(text);
      if (values !== null) return filled(pattern, values.slice(1));
    }
    return undefined;
  };
  const filled = ({ translation }: Pattern, values: readonly string[]) =>
    translation.replace(PLACE, (_, place: string) => valueOf(values[Number(place)] ?? ''));
  const valueOf = (value: string) => read(value) ?? value.replace(/^(\d+)\.(\d+)$/, `$1${decimal}$2`);
  return read;
}

function expressionOf(source: string): RegExp {
  const escaped = source.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replace(PLACE, '(.+?)')}$`, 's');
}
