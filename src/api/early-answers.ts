/** What `client.ts` returns for a successful read, with its time. */
interface EarlyAnswer {
  readonly body: unknown;
  readonly etag?: string;
  /** When the request was sent, in epoch milliseconds. */
  readonly askedAt: number;
}

/** The contract's key for the token in local storage. */
const TOKEN_KEY = 'access_token';

interface Asked {
  readonly token: string | null;
  readonly answer: Promise<EarlyAnswer | undefined>;
}

const asked = new Map<string, Asked>();

/** Requests what the screen will need while most of the app's code is still loading. */
export function askEarly(path: string): void {
  const token = localStorage.getItem(TOKEN_KEY);
  asked.set(path, { token, answer: fetched(path, token) });
}

/**
 * Returns an early answer, once. Undefined if nothing was requested in this session or the request failed: the caller then
 * requests it again.
 */
export async function takeEarly(path: string): Promise<EarlyAnswer | undefined> {
  const early = asked.get(path);
  asked.delete(path);
  return early?.token === localStorage.getItem(TOKEN_KEY) ? early?.answer : undefined;
}

async function fetched(path: string, token: string | null): Promise<EarlyAnswer | undefined> {
  if (token === null) return undefined;
  const askedAt = Date.now();
  try {
    const answer = await fetch(path, {
      headers: {
        Accept: 'application/json',
        'X-Requested-With': 'XMLHttpRequest',
        Authorization: `Bearer ${token}`,
      },
    });
    // a captive portal or sign-in page is HTML with status 200
    if (answer.status !== 200 || !answer.headers.get('Content-Type')?.includes('json')) return undefined;
    const etag = answer.headers.get('ETag');
    return { body: await answer.json(), askedAt, ...(etag !== null && { etag }) };
  } catch {
    return undefined;
  }
}
