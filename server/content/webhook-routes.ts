import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type MadeWebhook, WEBHOOKS_PATH } from '../../src/domain/protocol/webhooks.ts';
import { formOf, refuseMissing } from '../protocol/submitted.ts';
import { invalid } from '../errors/refusal.ts';
import { audit } from '../security/audit.ts';
import type { Settings } from '../settings/settings.ts';
import type { Webhooks } from '../stores/webhooks.ts';
import { AddressInside, assertPublicHost } from './public-address.ts';

const MAX_URL_LENGTH = 500;
/** A site, its preview and a cache. Bounds the list and the work after each change. */
const MAX_WEBHOOKS = 10;

type ById = { Params: { id: string } };

interface Desk {
  readonly settings: Pick<Settings, 'webhooksInside'>;
  readonly webhooks: Webhooks;
  /** Called when something is due. */
  readonly onDue: () => void;
}

/** Routes for owners: the addresses that are told of changes, and what was told. */
export function webhookRoutes(app: FastifyInstance, desk: Desk): void {
  const { webhooks, onDue } = desk;
  app.get(WEBHOOKS_PATH, () => webhooks.list());
  app.post(WEBHOOKS_PATH, async (request): Promise<MadeWebhook> => {
    const url = urlIn(desk, request);
    const known = await webhooks.list();
    if (known.some((one) => one.url === url)) throw invalid({ url: ['This address is told of changes already.'] });
    if (known.length >= MAX_WEBHOOKS)
      throw invalid({ url: [`At most ${MAX_WEBHOOKS} addresses are told of changes.`] });
    const secret = await webhooks.add(url);
    audit(request, 'webhook added', url);
    return { message: 'Webhook added', secret };
  });
  app.post<ById>(`${WEBHOOKS_PATH}/:id/remove`, async (request) => {
    audit(request, 'webhook removed', await webhooks.remove(request.params.id));
    return { message: 'Webhook removed' };
  });
  app.post<ById>(`${WEBHOOKS_PATH}/deliveries/:id/send-again`, async (request) => {
    await webhooks.sendAgain(request.params.id);
    onDue();
    return { message: 'Sent again' };
  });
}

/** The address of a request. Throws 422 for one that cannot be called, or that leads inside without permission. */
function urlIn({ settings }: Desk, request: FastifyRequest): string {
  const text = formOf(request).texts.get('url')?.trim() ?? '';
  refuseMissing({ url: text });
  const address = URL.parse(text);
  if (address === null || !['http:', 'https:'].includes(address.protocol) || text.length > MAX_URL_LENGTH)
    throw invalid({ url: ['This is not an address that begins with https:// or http://.'] });
  if (address.username !== '' || address.password !== '')
    throw invalid({
      url: ['An address with a password in it would be shown to every owner. Use the signature instead.'],
    });
  try {
    if (!settings.webhooksInside) assertPublicHost(address);
  } catch (error) {
    if (error instanceof AddressInside) throw invalid({ url: [error.message] });
    throw error;
  }
  return address.href;
}
