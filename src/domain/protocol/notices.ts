import { isSilent, type PersonsDevice } from './devices.ts';
import { certificateFinding, findingsOf, type ServerHealth } from './health.ts';
import type { Webhook } from './webhooks.ts';

/** What owners have to know, on a server that keeps the records itself. */
export const NOTICES_PATH = '/api/notices';

/** Something that owners have to see to. */
export interface Notice {
  /** Identifies what is wrong, and with which thing. */
  readonly cause: string;
  /** An English sentence. */
  readonly text: string;
  /** ISO 8601 in UTC. */
  readonly since: string;
}

/** The answer to `GET /api/notices`. */
export interface NoticesPage {
  readonly notices: readonly Notice[];
  /** There is no record yet: a backup may be restored. */
  readonly isEmpty: boolean;
}

/** Something wrong, as the checks find it now. */
export interface Cause {
  readonly cause: string;
  readonly text: string;
  /** It cannot wait for the morning. */
  readonly isUrgent?: true;
}

/** What is looked at. */
export interface Looked {
  readonly health: ServerHealth;
  /** Why the last backup that this server tried has failed. */
  readonly backupFailure?: string;
  readonly webhooks: readonly Webhook[];
  readonly devices: readonly PersonsDevice[];
  /** Names this server among several that share a database. */
  readonly server: string;
}

/** Less free space than this part of the disk is worth a mail. */
const LEAST_FREE = 0.1;
/** How long the first backup may take. Milliseconds. */
const FIRST_BACKUP = 2 * 60 * 60 * 1000;
const DAY = 24 * 60 * 60 * 1000;

/** What owners have to see to, by the checks of one server. `now` is epoch milliseconds. */
export function causesOf({ health, backupFailure, webhooks, devices, server }: Looked, now: number): readonly Cause[] {
  const backup = isBackupExpected(health, now)
    ? findingsOf(health, now).find(({ subject, state }) => subject === 'Backup' && state !== 'good')
    : undefined;
  const certificate = certificateFinding(health.certificate, now);
  const { diskFree, diskSize, largestRequest } = health;
  return [
    ...(backup === undefined ? [] : [{ cause: 'backup', text: backup.text }]),
    ...(backupFailure === undefined
      ? []
      : [{ cause: `backup-failed@${server}`, text: `The last backup failed: ${backupFailure}` }]),
    ...(diskFree >= LEAST_FREE * diskSize
      ? []
      : [
          {
            cause: `disk@${server}`,
            text: `The disk of ${server} is almost full: ${percent(diskFree / diskSize)} % free.`,
            ...(diskFree < largestRequest ? { isUrgent: true as const } : {}),
          },
        ]),
    ...(certificate.state === 'good'
      ? []
      : [{ cause: 'certificate', text: `Certificate: ${certificate.text}`, ...urgentIf(certificate.state === 'bad') }]),
    ...webhooks
      .filter((webhook) => isUndelivered(webhook, now))
      .map(({ id, url }) => ({
        cause: `webhook:${id}`,
        text: `A message to ${url} has not arrived for a day.`,
      })),
    ...devices
      .filter((device) => isSilent(device, now))
      .map(({ id, person, device, waiting = 0 }) => ({
        cause: `device:${id}`,
        text:
          waiting === 1
            ? `${device} of ${person} has been silent for three days, and 1 change waits there.`
            : `${device} of ${person} has been silent for three days, and ${waiting} changes wait there.`,
      })),
  ];
}

/** False without a schedule, and while a server that has just started may still make its first backup. */
function isBackupExpected({ backup, startedAt }: ServerHealth, now: number): boolean {
  return backup.everyHours !== undefined && (backup.at !== undefined || now - Date.parse(startedAt) >= FIRST_BACKUP);
}

function urgentIf(isUrgent: boolean): { readonly isUrgent?: true } {
  return isUrgent ? { isUrgent: true } : {};
}

/** True if the oldest message that has not arrived is a day old. */
function isUndelivered({ deliveries }: Webhook, now: number): boolean {
  return deliveries.some(({ state, createdAt }) => state !== 'delivered' && now - Date.parse(createdAt) >= DAY);
}

function percent(part: number): string {
  return (part * 100).toFixed(0);
}
