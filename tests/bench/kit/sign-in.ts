import { ADMINISTRATOR } from '../../harness/server.ts';

/** A session on a server, as the app stores it. `headers` are for requests that change data. */
export interface SignedIn {
  readonly user: unknown;
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Account {
  readonly email: string;
  readonly password: string;
}

/** Signs in as the app does: a GET for the anti-forgery cookie, then its value together with the password. */
export async function signIn(origin: string, { email, password }: Account = ADMINISTRATOR): Promise<SignedIn> {
  const cookies = (await fetch(`${origin}/api/user`)).headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const forgery = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
  const headers = {
    accept: 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    cookie: cookies.join('; '),
    'x-xsrf-token': decodeURIComponent(forgery),
  };
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`Signing in answered ${answer.status}.`);
  const { user, token } = (await answer.json()) as { user: unknown; token: string };
  return { user, token, headers: { ...headers, authorization: `Bearer ${token}` } };
}
