import { Refusal } from './answers.ts';

/** Laravel's `throttle:N,1`: N requests per minute, counted from the first of them. */
export class Throttle {
  readonly #limit: number;
  readonly #clock: () => number;
  #used = 0;
  #endsAt = 0;

  constructor(limit: number, clock: () => number) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts a request. Throws the 429 beyond the limit, otherwise returns the headers of an answer. */
  take(): Record<string, string> {
    const now = this.#clock();
    if (now >= this.#endsAt) {
      this.#used = 0;
      this.#endsAt = now + 60_000;
    }
    const limit = String(this.#limit);
    if (this.#used >= this.#limit) {
      const headers = {
        'retry-after': String(Math.ceil((this.#endsAt - now) / 1000)),
        'x-ratelimit-limit': limit,
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil(this.#endsAt / 1000)),
      };
      throw new Refusal(429, 'Too Many Attempts.', { headers });
    }
    this.#used += 1;
    return { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': String(this.#limit - this.#used) };
  }
}
