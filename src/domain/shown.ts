/**
 * Stored values that are shown spelled otherwise. The old public site matches on the stored ones, so forms, calls and the
 * database keep them.
 */
const SHOWN: Readonly<Record<string, string>> = { 'Rooftop Solor Panel': 'Rooftop Solar Panel' };

/** The spelling of a stored value that people read. */
export function shownValue(stored: string): string {
  return SHOWN[stored] ?? stored;
}
