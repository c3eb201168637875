/** A browser's cookies for one site. */
export class CookieJar {
  readonly #cookies = new Map<string, { readonly value: string; readonly until: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Stores the cookies that an answer sets. */
  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const cut = pair.indexOf('=');
      const life = attributes.map((one) => /^max-age=(\d+)$/i.exec(one)?.[1]).find((found) => found !== undefined);
      const until = life === undefined ? Number.POSITIVE_INFINITY : this.#now() + Number(life) * 1_000;
      this.#cookies.set(pair.slice(0, cut), { value: pair.slice(cut + 1), until });
    }
  }

  /** The raw value, as script sees it. */
  read(name: string): string | undefined {
    const cookie = this.#cookies.get(name);
    return cookie !== undefined && cookie.until > this.#now() ? cookie.value : undefined;
  }

  /** The Cookie header of a request. */
  header(): string {
    const names = [...this.#cookies.keys()].filter((name) => this.read(name) !== undefined);
    return names.map((name) => `${name}=${this.read(name)}`).join('; ');
  }

  /** Drops session cookies, as when a browser is killed. A user may also clear cookies. */
  clear(): void {
    this.#cookies.clear();
  }
}
