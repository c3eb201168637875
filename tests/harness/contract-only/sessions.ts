import { Refusal } from './answers.ts';

/** Sessions expire after two idle hours, and so do their cookies. */
const LIFETIME_SECONDS = 7200;

interface Session {
  readonly id: string;
  readonly token: string;
  lastUsed: number;
}

/**
 * Laravel's anti-forgery protection: a session cookie, and its token in a second cookie that script can read and must send
 * back, URL-decoded, with every POST. Cookie values change with every answer; earlier ones of the same session stay valid.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #clock: () => number;
  readonly #random: (length: number) => string;

  constructor(clock: () => number, random: (length: number) => string) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns the session of the request's cookie, or a new one. */
  open(request: Request): Session {
    const id = unseal(readCookie(request, 'laravel_session') ?? '');
    const known = this.#sessions.get(id);
    const now = this.#clock();
    const session =
      known !== undefined && now - known.lastUsed < LIFETIME_SECONDS * 1000
        ? known
        : { id: this.#random(40), token: this.#random(40), lastUsed: now };
    session.lastUsed = now;
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Refuses a POST whose `X-XSRF-TOKEN` does not match the session. */
  check(request: Request, session: Session): void {
    if (request.method !== 'POST') return;
    if (unseal(request.headers.get('x-xsrf-token') ?? '') !== session.token) {
      throw new Refusal(419, 'CSRF token mismatch.');
    }
  }

  /** Adds the session cookie to an answer and, unless the request was refused early, the anti-forgery cookie. */
  setCookies(answer: Response, session: Session, withToken: boolean): void {
    const life = `Max-Age=${LIFETIME_SECONDS}; path=/`;
    if (withToken) {
      answer.headers.append('set-cookie', `XSRF-TOKEN=${this.#seal(session.token)}; ${life}; samesite=lax`);
    }
    answer.headers.append('set-cookie', `laravel_session=${this.#seal(session.id)}; ${life}; httponly; samesite=lax`);
  }

  /** Returns a cookie value that differs every time and ends in `=`, which a cookie encodes as `%3D`. */
  #seal(secret: string): string {
    return encodeURIComponent(Buffer.from(`${this.#random(39)}|${secret}`).toString('base64'));
  }
}

function unseal(value: string): string {
  return Buffer.from(value, 'base64').toString().split('|')[1] ?? '';
}

function readCookie(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get('cookie') ?? '').split('; ').map((pair) => pair.split('='));
  const value = pairs.find(([key]) => key === name)?.[1];
  return value === undefined ? undefined : decodeURIComponent(value);
}
