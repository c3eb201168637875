import {
  CONTENT_STATUS_PATH,
  CONTENT_TOKENS_PATH,
  type ContentStatus,
  type MadeContentToken,
} from '../domain/protocol/content.ts';
import { type MadeWebhook, type Webhook, WEBHOOKS_PATH } from '../domain/protocol/webhooks.ts';
import { get, post } from './request.ts';

/** Everything here needs a live answer from the server, and throws ApiFailure. */

/** Who reads the content, and who is told of changes. */
export interface PublicSite {
  readonly content: ContentStatus;
  readonly webhooks: readonly Webhook[];
}

/** Returns the connections to the public site. */
export async function readPublicSite(): Promise<PublicSite> {
  const [content, webhooks] = await Promise.all([get(CONTENT_STATUS_PATH), get(WEBHOOKS_PATH)]);
  return { content: content.body as ContentStatus, webhooks: webhooks.body as readonly Webhook[] };
}

/** Makes a token for a program. Returns the token. */
export async function makeContentToken(name: string): Promise<string> {
  return ((await post(CONTENT_TOKENS_PATH, { name })).body as MadeContentToken).token;
}

/** Revokes a token. Returns the server's message. */
export function revokeContentToken(id: string): Promise<string> {
  return messageFrom(`${CONTENT_TOKENS_PATH}/${id}/revoke`);
}

/** Adds an address that is told of changes. Returns its secret. */
export async function addWebhook(url: string): Promise<string> {
  return ((await post(WEBHOOKS_PATH, { url })).body as MadeWebhook).secret;
}

/** Removes an address. Returns the server's message. */
export function removeWebhook(id: string): Promise<string> {
  return messageFrom(`${WEBHOOKS_PATH}/${id}/remove`);
}

/** Sends a delivery again. Returns the server's message. */
export function sendDeliveryAgain(id: string): Promise<string> {
  return messageFrom(`${WEBHOOKS_PATH}/deliveries/${id}/send-again`);
}

async function messageFrom(path: string): Promise<string> {
  return ((await post(path)).body as { message: string }).message;
}
