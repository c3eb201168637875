/** What `client.ts` answers for a good read, and when. */
interface EarlyAnswer {
  readonly body: unknown;
  readonly etag?: string;
  /** When it was asked for, in epoch milliseconds. */
  readonly askedAt: number;
}

/** The name that the contract gives the token in local storage. */
const TOKEN_KEY = 'access_token';

const asked = new Map<string, Promise<EarlyAnswer | undefined>>();

/** Asks for something that the screen will want, while most of the app's code is still on its way. */
export function askEarly(path: string): void {
  asked.set(path, fetched(path));
}

/** The answer to what was asked early, once. Undefined where nothing was asked, or where nothing good came: ask again then. */
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
    // a portal's or a sign-in page is HTML with status 200
    if (answer.status !== 200 || !answer.headers.get('Content-Type')?.includes('json')) return undefined;
    const etag = answer.headers.get('ETag');
    return { body: await answer.json(), askedAt, ...(etag !== null && { etag }) };
  } catch {
    return undefined;
  }
}
