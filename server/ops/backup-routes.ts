import { basename } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  BACKUP_WORK_PATH,
  type BackupPlaceFacts,
  type BackupPlaceKind,
  BACKUPS_PATH,
  type BackupsPage,
  type BackupWork,
  DOWNLOADS_PATH,
  REHEARSALS_PATH,
  type StoredBackup,
} from '../../src/domain/protocol/backups.ts';
import { invalid, notFound, Refusal } from '../errors/refusal.ts';
import { formOf } from '../protocol/submitted.ts';
import { audit } from '../security/audit.ts';
import { senderOf } from '../security/session.ts';
import type { Services } from '../services.ts';
import { bucketAt, bucketName } from '../uploads/bucket-address.ts';
import { type BackupPlace, OWN_NAMES, placesOf, timeIn } from './backup-places.ts';
import type { BackupRunner } from './backup-runner.ts';
import type { LastBackup } from './last-backup.ts';

/** The settings and services that the routes use. */
type Desk = Pick<Services, 'settings' | 'backups' | 'tickets'> & { readonly runner: BackupRunner };

/** A backup, as a request names it. */
interface Named {
  readonly name: string;
  readonly place: BackupPlaceKind;
}

/** Routes for owners: the backups, a new one, the rehearsal of a restore, and the download of one. */
export function backupRoutes(app: FastifyInstance, desk: Desk): void {
  const { settings, backups, runner } = desk;
  const downloads = desk.tickets<Named>('backup-download');
  app.get(BACKUPS_PATH, async (): Promise<BackupsPage> => {
    const [places, recorded] = await Promise.all([lookAt(settings), backups.all().catch(() => [])]);
    return {
      places: places.map(({ facts }) => facts),
      backups: places
        .flatMap(({ stored }) => stored)
        .map((one) => withRecord(one, recorded))
        .toSorted(newestFirst),
      everyHours: settings.backupEveryHours,
      keep: settings.backupKeep,
      hasKey: settings.backupKey !== '',
      ...runner.work,
    };
  });
  app.get(BACKUP_WORK_PATH, async (): Promise<BackupWork> => runner.work);
  app.post(BACKUP_WORK_PATH, async (request) => {
    if (settings.backupDir === '' && settings.backupUrl === '')
      throw new Refusal(409, { message: 'Set BACKUP_DIR or BACKUP_URL first, and restart the server.' });
    requireFree(runner);
    void runner.backUp().then((problem) => noteOutcome(request, 'backup', problem));
    audit(request, 'backup asked for', senderOf(request).user.email);
    return { message: 'Backup started' };
  });
  app.post(REHEARSALS_PATH, async (request) => {
    const { name, place } = namedIn(request);
    requireFree(runner);
    void runner.rehearse(name, place).then(() => noteOutcome(request, 'rehearsal', runner.work.failure));
    return { message: 'Rehearsal started' };
  });
  app.post(DOWNLOADS_PATH, async (request) => {
    const named = namedIn(request);
    await find(settings, named);
    audit(request, 'backup downloaded', named.name);
    return { path: `${DOWNLOADS_PATH}/${await downloads.give(named)}` };
  });
  // a browser downloads without the headers that sign in: the ticket does, once
  app.get<{ Params: { ticket: string } }>(
    `${DOWNLOADS_PATH}/:ticket`,
    { config: { open: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const named = await downloads.take(request.params.ticket);
      if (named === undefined) throw notFound('This download has expired. Start it again.');
      const { place, size } = await find(settings, named);
      const bytes = await place.read(named.name);
      if (bytes === undefined) throw gone();
      reply.header('Content-Disposition', `attachment; filename="${named.name}"`).header('Content-Length', size);
      return reply.type('application/octet-stream').send(bytes);
    },
  );
}

function requireFree(runner: BackupRunner): void {
  if (runner.isBusy) throw new Refusal(409, { message: 'A backup or a rehearsal is already running.' });
}

function noteOutcome(request: FastifyRequest, what: string, problem: string | undefined): void {
  if (problem === undefined) request.log.info(`${what} made`);
  else request.log.error(`${what} failed: ${problem}`);
}

function namedIn(request: FastifyRequest): Named {
  const { texts } = formOf(request);
  const [name = '', place] = [texts.get('name'), texts.get('place')];
  if (!OWN_NAMES.test(name) || (place !== 'folder' && place !== 'bucket'))
    throw invalid({ name: ['This is no backup.'] });
  return { name, place };
}

async function find(settings: Places, { name, place: kind }: Named) {
  const places = await placesOf(only(settings, kind)).catch((error: Error) => {
    throw new Refusal(503, { message: error.message });
  });
  for (const place of places) {
    const found = (await place.list()).find((one) => one.name === name);
    if (found !== undefined) return { place, size: found.size };
  }
  throw gone();
}

const gone = () => notFound('This backup is gone.');

type Places = Pick<Services['settings'], 'backupDir' | 'backupUrl'>;

const only = ({ backupDir, backupUrl }: Places, kind: BackupPlaceKind): Places =>
  kind === 'folder' ? { backupDir, backupUrl: '' } : { backupDir: '', backupUrl };

/** A place and what is in it. */
interface Seen {
  readonly facts: BackupPlaceFacts;
  readonly stored: readonly StoredBackup[];
}

/** Looks at each place by itself: one that cannot be reached does not hide the other. */
async function lookAt(settings: Places): Promise<readonly Seen[]> {
  const { backupDir, backupUrl } = settings;
  const folder: BackupPlaceFacts[] = backupDir === '' ? [] : [{ kind: 'folder', address: backupDir }];
  const bucket: BackupPlaceFacts[] =
    backupUrl === '' ? [] : [{ kind: 'bucket', address: bucketName(bucketAt(backupUrl)) }];
  return Promise.all(
    [...folder, ...bucket].map(async (facts) => {
      const stored = placesOf(only(settings, facts.kind)).then(([place]) => storedIn(place));
      return stored.then(
        (found) => ({ facts, stored: found }),
        (error: Error) => ({ facts: { ...facts, problem: error.message }, stored: [] }),
      );
    }),
  );
}

async function storedIn(place: BackupPlace | undefined): Promise<readonly StoredBackup[]> {
  if (place === undefined) return [];
  const found = await place.list();
  return found.map(({ name, size }) => ({ name, size, place: place.kind, at: timeIn(name) ?? '' }));
}

function withRecord(stored: StoredBackup, recorded: readonly LastBackup[]): StoredBackup {
  const record = recorded.find(({ file }) => basename(file) === stored.name);
  if (record === undefined) return stored;
  const { damaged, isEncrypted, verified, problem } = record;
  // one that did not reach the bucket is not there, whatever has its name
  const isVerified = verified !== undefined && verified.size === stored.size && !(stored.place === 'bucket' && problem);
  return {
    ...stored,
    damaged,
    ...(isEncrypted === undefined ? {} : { isEncrypted }),
    ...(isVerified ? { verifiedAt: verified.at, records: verified.records, files: verified.files } : {}),
  };
}

/** Newest first; of the same backup the one in the folder, which is nearer. */
function newestFirst(one: StoredBackup, other: StoredBackup): number {
  if (one.name !== other.name) return one.name < other.name ? 1 : -1;
  return one.place === 'folder' ? -1 : 1;
}
