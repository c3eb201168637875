import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { assertPublicHost, publicLookup } from './public-address.ts';

/** How long a receiver may take. Milliseconds. */
const TIMEOUT = 15_000;

/** A message to one address. */
export interface SignedMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a message and returns the status of the answer. Rejects without one. Follows no redirects. */
export type PostMessage = (message: SignedMessage) => Promise<number>;

/** Headers that prove a message's origin (https://www.standardwebhooks.com). `at` is epoch milliseconds. */
export function signatureHeaders(secret: string, messageId: string, body: string, at: number): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** Posts messages over HTTP. `mayGoInside` allows addresses of this machine and its network. */
export function postOverHttp(mayGoInside: boolean): PostMessage {
  return ({ url, headers, body }) =>
    new Promise((resolve, reject) => {
      const address = new URL(url);
      if (!mayGoInside) assertPublicHost(address);
      const send = address.protocol === 'https:' ? httpsRequest : httpRequest;
      const request = send(address, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(TIMEOUT),
        agent: false,
        ...(mayGoInside ? {} : { lookup: publicLookup }),
      });
      request.on('error', reject);
      request.on('response', (response) => {
        // only the status matters, and a body may be endless
        resolve(response.statusCode ?? 0);
        response.destroy();
      });
      request.end(body);
    });
}
