/** Repeatable randomness: the same seed draws the same numbers (sfc32). */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d = 1;

  constructor(seed: string) {
    [this.#a, this.#b, this.#c] = hash(seed);
    for (let i = 0; i < 12; i += 1) this.next();
  }

  /** From 0 up to 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return (sum >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 up to `below`. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** A whole number from `from` to `to`, inclusive. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the items. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  }

  /** One of the keys, weighted. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return this.pick(entries)[0];
  }

  /** A text in the form of a UUID. */
  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.below(16).toString(16)).join('');
    const [a, b, c, d] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16), digits.slice(17, 20)];
    return `${a}-${b}-4${c}-8${d}-${digits.slice(20)}`;
  }

  /** Random bytes. */
  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }
}

/** Hashes a text into three 32-bit numbers (FNV-1a with different starts). */
function hash(text: string): [number, number, number] {
  const of = (start: number) => {
    let value = start;
    for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 16_777_619);
    return value | 0;
  };
  return [of(2_166_136_261), of(84_696_351), of(608_135_816)];
}
