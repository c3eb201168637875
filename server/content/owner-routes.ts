import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  CONTENT_STATUS_PATH,
  CONTENT_TOKENS_PATH,
  type ContentStatus,
  type MadeContentToken,
  SITE_CONTACT_PATH,
  type SiteContact,
} from '../../src/domain/protocol/content.ts';
import { formOf, refuseMissing } from '../protocol/submitted.ts';
import { invalid, notFound } from '../errors/refusal.ts';
import { audit } from '../security/audit.ts';
import type { Settings } from '../settings/settings.ts';
import type { ContentTokens } from '../stores/content-tokens.ts';
import type { SiteContacts } from '../stores/site-contacts.ts';

const MAX_NAME_LENGTH = 100;
/** A site needs a few. Bounds the list. */
const MAX_TOKENS = 50;

interface Desk {
  readonly settings: Pick<Settings, 'content'>;
  readonly contentTokens: ContentTokens;
  readonly siteContacts: SiteContacts;
}

/** Routes for owners: who may read the content, and its tokens. Everybody learns when the site last spoke with this server. */
export function contentOwnerRoutes(app: FastifyInstance, desk: Desk): void {
  const { settings, contentTokens, siteContacts } = desk;
  app.get(CONTENT_STATUS_PATH, async (): Promise<ContentStatus> => {
    return { access: settings.content, ...(await siteContacts.last()), tokens: await contentTokens.list() };
  });
  app.get(SITE_CONTACT_PATH, async (): Promise<SiteContact> => {
    if (settings.content === 'off') throw notFound('Nobody may read the content.');
    return siteContacts.last();
  });
  app.post(CONTENT_TOKENS_PATH, async (request): Promise<MadeContentToken> => {
    const name = nameIn(request);
    if ((await contentTokens.list()).length >= MAX_TOKENS)
      throw invalid({ name: ['Revoke a token that is not used any more first.'] });
    const token = await contentTokens.make(name);
    audit(request, 'content token made', name);
    return { message: `Token for ${name} created`, token };
  });
  app.post<{ Params: { id: string } }>(`${CONTENT_TOKENS_PATH}/:id/revoke`, async (request) => {
    const name = await contentTokens.revoke(request.params.id);
    audit(request, 'content token revoked', name);
    return { message: `Token for ${name} revoked` };
  });
}

function nameIn(request: FastifyRequest): string {
  const name = formOf(request).texts.get('name')?.trim() ?? '';
  refuseMissing({ name });
  if (name.length > MAX_NAME_LENGTH)
    throw invalid({ name: [`The name may not be greater than ${MAX_NAME_LENGTH} characters.`] });
  return name;
}
