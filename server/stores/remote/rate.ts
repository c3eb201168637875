/** Comparing lists takes at most this part of what a back end allows one person. */
const PART = 3;
/** A stock back end that tells no limit may allow 60 requests a minute (`throttle:api`). */
const USUAL_LIMIT = 60;

/** How many requests a minute a back end allows one person, as its answers tell (`X-RateLimit-Limit`). */
export class Rate {
  #limit: number | undefined;

  /** Learns from the headers of an answer. */
  note(headers: Readonly<Record<string, string>>): void {
    const limit = Number(headers['x-ratelimit-limit'] ?? 0);
    if (Number.isInteger(limit) && limit > 0) this.#limit = limit;
  }

  /** The limit, if the back end has told one. */
  get told(): number | undefined {
    return this.#limit;
  }

  /** The requests a minute that comparing lists may take. */
  get forComparing(): number {
    return Math.max(1, Math.floor((this.#limit ?? USUAL_LIMIT) / PART));
  }
}
