import type { FastifyInstance } from 'fastify';
import type { Client } from './harness.ts';

/** Settings of a server behind a proxy that states the client's address. */
export const PROXY = { TRUSTED_PROXIES: '127.0.0.1' };

/** The header that states the nth of many addresses. */
export const from = (n: number) => ({ 'x-forwarded-for': `198.51.${n >> 8}.${n & 255}` });

/** A client whose browser was never signed in here. */
export async function stranger(app: FastifyInstance, admin: Client) {
  const cookie = [...admin.cookies].filter(([name]) => !name.includes('device'));
  const headers = {
    cookie: cookie.map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': admin.cookies.get('XSRF-TOKEN') ?? '',
  };
  return (n: number, email: string, password: string) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password },
      headers: { ...headers, ...from(n) },
    });
}
