/** Server health, for owners. */
export const HEALTH_PATH = '/api/health';

/** The answer to `GET /api/health`. Sizes are bytes, times ISO 8601 in UTC. */
export interface ServerHealth {
  readonly version: string;
  readonly startedAt: string;
  /** Why the server cannot work now, in words. Absent if it can. */
  readonly problem?: string;
  readonly diskFree: number;
  readonly diskSize: number;
  /** The size of the largest request. */
  readonly largestRequest: number;
  /** Absent while the database is unreachable. */
  readonly databaseSize?: number;
  /** Pictures whose smaller sizes are not ready yet. */
  readonly picturesWaiting: number;
  /** Absent if all files are named by records, or are not the server's own. */
  readonly files?: FilesHealth;
  readonly backup: BackupHealth;
  /** The certificate of the public address. Absent if PUBLIC_HOST is not set. */
  readonly certificate?: CertificateHealth;
}

export interface FilesHealth {
  /** Files that no record names, which are kept for 30 days. */
  readonly unnamed: number;
  /** When the first of them will be removed. */
  readonly until?: string;
  /** Another database has taken over the files. */
  readonly isForeign?: true;
}

export interface BackupHealth {
  /** When the newest backup was made. Absent if there never was one. */
  readonly at?: string;
  /** Number of files that were missing or damaged. */
  readonly damaged?: number;
  /** Why the newest backup is not in the bucket. */
  readonly problem?: string;
  /** Hours between scheduled backups. Absent without a schedule. */
  readonly everyHours?: number;
  /** Whether the newest backup is encrypted. Without one: whether the server has a key for the first. */
  readonly isEncrypted: boolean;
}

export interface CertificateHealth {
  readonly validUntil?: string;
  /** Why browsers do not trust the certificate, or why it could not be checked. */
  readonly problem?: string;
}

type DiskHealth = Pick<ServerHealth, 'diskFree' | 'diskSize' | 'largestRequest' | 'databaseSize'>;

/** A finding about one part of the server. */
export interface Finding {
  readonly subject:
    | 'Server'
    | 'Disk'
    | 'Files'
    | 'Backup'
    | 'Certificate'
    | 'Pictures'
    | 'Version'
    | 'Back end'
    | 'Set aside';
  /** `bad` needs attention now, `warning` soon. */
  readonly state: 'good' | 'warning' | 'bad';
  /** It was not looked at, so that nothing is known to be wrong. */
  readonly isUnchecked?: true;
  readonly text: string;
}

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const GIGABYTE = 1024 ** 3;
/** Certificates are renewed a month before they expire. With fewer days left than this, renewal has failed. */
const CERTIFICATE_WARNING = 14;
const CERTIFICATE_BAD = 3;
/** Free space for this many of the largest requests is enough. */
const ENOUGH_REQUESTS = 20;
/** The expected interval without a schedule: a week without a backup is too long. */
const UNPLANNED_HOURS = 7 * 24;

/** Returns the findings about a server, problems first. `now` is in epoch milliseconds. */
export function findingsOf(health: ServerHealth, now: number): readonly Finding[] {
  const findings = [
    serverFinding(health),
    diskFinding(health),
    ...filesFindings(health.files, now),
    backupFinding(health.backup, now),
    certificateFinding(health.certificate, now),
    picturesFinding(health),
    versionFinding(health, now),
  ];
  return inOrder(findings);
}

/** Findings with the problems first. */
export function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const order = ['bad', 'warning', 'good'];
  return findings.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
}

/** The server itself. */
export function serverFinding({ problem }: Pick<ServerHealth, 'problem'>): Finding {
  if (problem !== undefined) return { subject: 'Server', state: 'bad', text: problem };
  return { subject: 'Server', state: 'good', text: 'Running and accepting changes.' };
}

/** The disk of the data folder. */
export function diskFinding({ diskFree, diskSize, largestRequest, databaseSize }: DiskHealth): Finding {
  const free = `${gigabytes(diskFree)} of ${gigabytes(diskSize)} GB free`;
  const subject = 'Disk';
  if (diskFree < largestRequest)
    return { subject, state: 'bad', text: `${free}: full. Nothing can be saved until space is freed.` };
  if (diskFree < ENOUGH_REQUESTS * largestRequest) return { subject, state: 'warning', text: `${free}: almost full.` };
  if (databaseSize === undefined) return { subject, state: 'good', text: free };
  return { subject, state: 'good', text: `${free}. The database takes ${databaseWords(databaseSize)}.` };
}

function filesFindings(files: FilesHealth | undefined, now: number): readonly Finding[] {
  if (files === undefined) return [];
  const subject = 'Files';
  if (files.isForeign === true) {
    const text = 'Another database has taken over the files. Restart the server: it says what to do.';
    return [{ subject, state: 'bad', text }];
  }
  const days = Math.max(0, Math.ceil((Date.parse(files.until ?? '') - now) / DAY));
  const [unnamed, left] = [counted(files.unnamed, 'file'), counted(days, 'more day')];
  const text = `${unnamed} without a record. Kept for 30 days, the first for ${left}.`;
  return [{ subject, state: 'warning', text }];
}

function backupFinding({ at, damaged = 0, problem, everyHours, isEncrypted }: BackupHealth, now: number): Finding {
  const subject = 'Backup';
  if (at === undefined) {
    const text =
      everyHours === undefined ? 'No backups. Set BACKUP_DIR and the server makes one every day.' : 'No backup yet.';
    return { subject, state: 'bad', text };
  }
  const age = now - Date.parse(at);
  const made = `Last backup ${ageText(age)}`;
  if (damaged > 0)
    return {
      subject,
      state: 'bad',
      text: `${made}, and ${damaged} ${damaged === 1 ? 'file was' : 'files were'} missing or damaged.`,
    };
  if (problem !== undefined) return { subject, state: 'bad', text: `${made}. It did not reach the bucket: ${problem}` };
  if (age > 2 * (everyHours ?? UNPLANNED_HOURS) * HOUR)
    return { subject, state: 'bad', text: `${made}: far too long ago.` };
  if (age > 1.25 * (everyHours ?? UNPLANNED_HOURS) * HOUR)
    return { subject, state: 'warning', text: `${made}: overdue.` };
  return { subject, state: 'good', text: `${made}${isEncrypted ? ', encrypted' : ''}.` };
}

/** The certificate of the public address. */
export function certificateFinding(certificate: CertificateHealth | undefined, now: number): Finding {
  const subject = 'Certificate';
  if (certificate === undefined)
    return { subject, state: 'good', isUnchecked: true, text: 'Not checked: PUBLIC_HOST is not set.' };
  const { validUntil, problem } = certificate;
  if (validUntil === undefined) return { subject, state: 'warning', text: problem ?? 'It couldn’t be checked.' };
  const days = Math.floor((Date.parse(validUntil) - now) / DAY);
  if (days < 0)
    return { subject, state: 'bad', text: 'It has expired. Browsers refuse this site, and nothing can be sent.' };
  if (problem !== undefined) return { subject, state: 'bad', text: problem };
  const state = days < CERTIFICATE_BAD ? 'bad' : days < CERTIFICATE_WARNING ? 'warning' : 'good';
  return { subject, state, text: `Valid for ${counted(days, 'more day')}.` };
}

function picturesFinding({ picturesWaiting }: ServerHealth): Finding {
  const text =
    picturesWaiting === 0
      ? 'All smaller sizes are ready.'
      : `Smaller sizes of ${counted(picturesWaiting, 'picture')} are being created.`;
  return { subject: 'Pictures', state: 'good', text };
}

/** The program. `now` is in epoch milliseconds. */
export function versionFinding(
  { version, startedAt }: Pick<ServerHealth, 'version' | 'startedAt'>,
  now: number,
): Finding {
  return {
    subject: 'Version',
    state: 'good',
    text: `Voltdesk ${version}, started ${ageText(now - Date.parse(startedAt))}.`,
  };
}

/** An age in milliseconds, in words. */
export function ageText(age: number): string {
  if (age < HOUR) return 'less than an hour ago';
  return age < 2 * DAY
    ? `${counted(Math.floor(age / HOUR), 'hour')} ago`
    : `${counted(Math.floor(age / DAY), 'day')} ago`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function databaseWords(bytes: number): string {
  return bytes < GIGABYTE ? `${Math.ceil(bytes / 1024 ** 2)} MB` : `${gigabytes(bytes)} GB`;
}

function gigabytes(bytes: number): string {
  return (bytes / GIGABYTE).toFixed(bytes < 10 * GIGABYTE ? 2 : 0);
}
