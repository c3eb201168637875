/** What `client.ts` returns for a successful read, with its time. */
interface EarlyAnswer {
  readonly body: unknown;
  readonly etag?: string;
  /** When the request was sent, in epoch milliseconds. */
  readonly askedAt: number;
}

/** The contract's key for the token in local storage. */
const TOKEN_KEY = 'access_token';

const asked = new Map<string, Promise<EarlyAnswer | undefined>>();

/** Requests what the screen will need while most of the app's code is still loading. */
export function askEarly(path: string): void {
  asked.set(path, fetched(path));
}

/** Returns an early answer, once. Undefined if nothing was requested or the request failed: the caller then requests it again. */
export async function takeEarly(path: string): Promise<EarlyAnswer | undefined> {
  const answer = asked.get(path);
  asked.delete(path);
  return answer;
}

async function fetched(path: string): Promise<EarlyAnswer | undefined> {
  const token = localStorage.getItem(TOKEN_KEY);
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
