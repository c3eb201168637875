/** Parses an id from an address. Undefined unless it is a positive integer. */
export function idIn(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
