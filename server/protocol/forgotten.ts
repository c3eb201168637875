import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FORGOT_PATH } from '../../src/domain/protocol/people.ts';
import { linkAddress, type SendMail } from '../accounts/mail.ts';
import { notFound } from '../errors/refusal.ts';
import { type Attempts, takeTry } from '../shared/attempts.ts';
import { audit, typedAddress } from '../security/audit.ts';
import { visitorOf } from '../security/visitor.ts';
import type { Settings } from '../settings/settings.ts';
import type { People } from '../stores/people.ts';
import { goesOut, letterWith } from './people.ts';
import { formOf, refuseMissing } from './submitted.ts';

/** Emails per minute: per account, per address, and in total. */
const LETTERS_PER_ACCOUNT = 1;
const ASKS_PER_ADDRESS = 5;
const LETTERS_OF_ALL = 20;

interface Desk {
  readonly people: People;
  readonly attempts: Attempts;
  readonly settings: Settings;
  /** Undefined without a mail server: then the route does not exist. */
  readonly sendMail: SendMail | undefined;
}

/** Emails a link to reset a forgotten password. The answer and its timing are the same for every email address. */
export function forgottenRoute(app: FastifyInstance, desk: Desk): void {
  app.post(FORGOT_PATH, { config: { open: true } }, async (request) => {
    const { sendMail, attempts } = desk;
    if (sendMail === undefined) throw notFound('There is nothing at this address.');
    const email = formOf(request).texts.get('email')?.trim() ?? '';
    refuseMissing({ email });
    await takeTry(attempts, [
      { key: `forgotten by ${visitorOf(request.ip)}`, most: ASKS_PER_ADDRESS },
      { key: `forgotten ${email.toLowerCase()}`, most: LETTERS_PER_ACCOUNT },
      { key: 'forgotten', most: LETTERS_OF_ALL },
    ]);
    audit(request, 'password link asked for', typedAddress(email));
    // Not awaited: the duration would reveal whether the account exists.
    void sendLink(desk, sendMail, request, email).catch((err: unknown) =>
      request.log.error({ err }, 'no link was sent'),
    );
    return { message: 'If there is an account with this email, a link is on its way.' };
  });
}

async function sendLink(desk: Desk, sendMail: SendMail, request: FastifyRequest, asked: string): Promise<void> {
  const link = await desk.people.forgottenLink(asked);
  if (link === undefined) return;
  const { brandLabel } = desk.settings;
  const words = {
    subject: `Your new password for ${brandLabel}`,
    begin: `Somebody, probably you, asked for a new password for the back office of ${brandLabel}. If it was not you, nothing needs to be done.`,
  };
  const { email, token, expiresAt } = link;
  const address = linkAddress(desk.settings, token);
  const isSent = await goesOut(request, sendMail(letterWith(words, { to: email, address, expiresAt })));
  if (!isSent) await desk.people.notSent(token);
}
