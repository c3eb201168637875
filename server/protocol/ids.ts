/** The id that an address names, or undefined when it can be none: ids are whole numbers from 1. */
export function idIn(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
