import type { FastifyRequest } from 'fastify';
import { WELCOME_ROUTE } from '../src/domain/protocol/people.ts';
import type { Settings } from './settings.ts';

/** A plain letter. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a letter; rejects when the mail server does not take it. */
export type SendMail = (letter: Letter) => Promise<void>;

/** How long a mail server may take for each step, in milliseconds: somebody waits for the answer. */
const PATIENCE = 10_000;

/** Sends letters over SMTP; undefined where no mail server is set. Its library is loaded with the first letter. */
export function mailOver({ smtpUrl, mailFrom }: Pick<Settings, 'smtpUrl' | 'mailFrom'>): SendMail | undefined {
  if (smtpUrl === '') return undefined;
  return async (letter) => {
    const { createTransport } = await import('nodemailer');
    const limits = { connectionTimeout: PATIENCE, greetingTimeout: PATIENCE, socketTimeout: PATIENCE };
    const transport = createTransport({ url: smtpUrl, ...limits, disableFileAccess: true, disableUrlAccess: true });
    try {
      await transport.sendMail({ from: mailFrom, ...letter });
    } finally {
      transport.close();
    }
  };
}

/**
 * The address of a link for a letter. Never by the host that a request names: whoever asks could name one of theirs, and would be
 * sent the token of somebody else.
 */
export function linkAddress({ protocol, host }: FastifyRequest, { publicHost }: Settings, token: string): string {
  return `${protocol}://${protocol === 'https' ? publicHost : host}${WELCOME_ROUTE}#${token}`;
}
