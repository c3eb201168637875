import { createHash } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Returns a generator of random-looking texts that repeat for the same seed. */
export function randomNames(seed: string): (length: number) => string {
  let count = 0;
  return (length) => {
    let text = '';
    for (let block = 0; text.length < length; block += 1) text += lettersOf(`${seed}/${count}/${block}`);
    count += 1;
    return text.slice(0, length);
  };
}

function lettersOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest();
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
}
