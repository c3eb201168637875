/**
 * True if Laravel answers this request's errors in JSON: the first media type it accepts is JSON, or the request is marked
 * as an XMLHttpRequest and accepts anything.
 */
export function expectsJson(headers: Headers): boolean {
  const first = acceptedTypes(headers.get('accept'))[0];
  if (first !== undefined && (first.includes('/json') || first.includes('+json'))) return true;
  const acceptsAnything = first === undefined || first === '*/*' || first === '*';
  return headers.get('x-requested-with') === 'XMLHttpRequest' && acceptsAnything;
}

/** The media types of an Accept header, by descending preference. */
function acceptedTypes(accept: string | null): string[] {
  return (accept ?? '')
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((word) => word.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ type }) => type !== '')
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ type }) => type);
}
