import type { Passwords } from './security/passwords.ts';
import type { SendMail } from './accounts/mail.ts';
import type { BackupNotes } from './ops/last-backup.ts';
import type { Settings } from './settings/settings.ts';
import type { Shared } from './shared/shared.ts';
import type { Staging } from './staging/staging.ts';
import type { Reserve } from './uploads/reserve.ts';
import type { SizeMaker } from './uploads/size-maker.ts';
import type { Storage } from './uploads/storage.ts';

/** The services that routes and stores share. Created once in `app.ts`. */
export interface Services extends Shared {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly staging: Staging;
  readonly reserve: Reserve;
  readonly sizes: SizeMaker;
  readonly backups: BackupNotes;
  readonly passwords: Passwords;
  /** Undefined without a mail server. */
  readonly sendMail: SendMail | undefined;
  readonly randomBytes: (count: number) => Buffer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The current time of the services' clock, ISO 8601 in UTC. */
export function timestamp(services: Pick<Services, 'now'>): string {
  return new Date(services.now()).toISOString();
}
