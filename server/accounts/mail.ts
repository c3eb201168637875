import { WELCOME_ROUTE } from '../../src/domain/protocol/people.ts';
import type { Settings } from '../settings/settings.ts';

/** A plain-text email. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends an email. Rejects if the mail server refuses it. */
export type SendMail = (letter: Letter) => Promise<void>;

/** Time-out of each SMTP step, in milliseconds: a user is waiting. */
const PATIENCE = 10_000;

/** Sends emails over SMTP. Undefined without a mail server. Loads its library with the first email. */
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
 * The address of a link in an email, of the settings alone. Whoever asks for a link for somebody else also writes the headers
 * of that request, and would receive the token under an address of their own.
 */
export function linkAddress({ publicHost }: Pick<Settings, 'publicHost'>, token: string): string {
  return `https://${publicHost}${WELCOME_ROUTE}#${token}`;
}
