import BackupIcon from '@mui/icons-material/BackupOutlined';
import CloudIcon from '@mui/icons-material/CloudOutlined';
import FolderIcon from '@mui/icons-material/FolderOutlined';
import LockIcon from '@mui/icons-material/LockOutlined';
import BadIcon from '@mui/icons-material/PriorityHighOutlined';
import { backupDownload, backUpNow, readBackups, rehearseRestore } from '../../api/backups.ts';
import { messageOf } from '../../api/failure.ts';
import type { BackupPlaceFacts, BackupsPage, StoredBackup } from '../../domain/protocol/backups.ts';
import { notify } from '../../stores/notifications.ts';
import { useMay } from '../../stores/session.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatAgo, formatMoment, formatSize } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Surface } from '../../ui/surface.tsx';
import { colour } from '../../ui/tokens.ts';
import { Chip, Explained, Line, Lines, LoadState, SheetHeading } from '../account/account-parts.tsx';
import { useServerData } from '../account/use-server-data.ts';
import { useFreshSignIn } from '../auth/use-fresh-sign-in.tsx';
import { useNow } from '../outbox/use-now.ts';
import { BackupProgress } from './backup-progress.tsx';
import { RehearsalSheet } from './rehearsal-sheet.tsx';
import { useBackupWork } from './use-backup-work.ts';
import { msg, say, t } from '../../language/t.ts';

const WHY = msg('Sign in again to download a backup. You won’t be asked again for 15 minutes.');

/** The backups of the installation, for owners: the list, a new one, the rehearsal of a restore, and downloads. */
export default function BackupsScreen() {
  const mayManage = useMay('owner');
  return mayManage ? <Backups /> : <NotForYou />;
}

function Backups() {
  const data = useServerData(readBackups);
  const { value, reload, act } = data;
  const now = useNow(60_000);
  const { freshly, dialog } = useFreshSignIn(say(WHY));
  const work = useBackupWork(value?.running !== undefined, reload);
  const running = work?.running ?? value?.running;
  const isBusy = running !== undefined;
  const hasPlace = value !== undefined && value.places.length > 0;
  const download = async (backup: StoredBackup) => {
    try {
      const path = await freshly(() => backupDownload(backup));
      Object.assign(document.createElement('a'), { href: path, download: backup.name }).click();
    } catch (caught) {
      notify(messageOf(caught), { kind: 'error' });
    }
  };
  return (
    <>
      <PageHeader
        title={t('Backups')}
        subtitle={t('Each one is read back before it counts')}
        actions={
          hasPlace && (
            <Button variant="contained" aria-disabled={isBusy} onClick={() => void (isBusy || act(backUpNow))}>
              {t('Back up now')}
            </Button>
          )
        }
      />
      <LoadState data={data} />
      {value && <Places page={value} />}
      {running && <BackupProgress running={running} />}
      {value?.rehearsal && !isBusy && <RehearsalSheet rehearsed={value.rehearsal} now={now} />}
      {hasPlace && (
        <List
          page={value}
          isBusy={isBusy}
          onRehearse={(backup) => void (isBusy || act(() => rehearseRestore(backup)))}
          onDownload={(backup) => void download(backup)}
        />
      )}
      {dialog}
    </>
  );
}

const PLACES = { folder: msg('Folder on the server'), bucket: msg('Object storage') } as const;
const ICONS = { folder: <FolderIcon />, bucket: <CloudIcon /> } as const;

/** Where backups are kept, and how the last work ended if it failed. */
function Places({ page: { places, everyHours, keep, hasKey, failure, running } }: { page: BackupsPage }) {
  const isFailure = failure !== undefined && running === undefined;
  return (
    <>
      <Surface aria-label={t('Places')}>
        <Lines>
          {places.map((place) => (
            <PlaceLine key={place.kind} place={place} />
          ))}
          {places.length === 0 && (
            <Line
              mark={<BadIcon />}
              tone={colour.bad}
              title={t('No backups are made')}
              note={t(
                'Set BACKUP_DIR to a folder, or BACKUP_URL to an object storage (S3), and restart the server. It then makes a backup every day.',
              )}
            />
          )}
          {isFailure && (
            <Line mark={<BadIcon />} tone={colour.bad} title={t('The last try failed')} note={say(failure)} />
          )}
        </Lines>
      </Surface>
      {places.length > 0 && (
        <Explained style={{ marginTop: 16 }}>
          {t(
            '{everyHours, plural, one {A backup is made every hour.} other {A backup is made every # hours.}} The newest {keep} are kept in each place.',
            { everyHours, keep },
          )}{' '}
          {hasKey
            ? t('They are encrypted. Restoring needs BACKUP_KEY, so keep a copy of it elsewhere.')
            : t('They are not encrypted: BACKUP_KEY is not set.')}
        </Explained>
      )}
    </>
  );
}

function PlaceLine({ place: { kind, address, problem } }: { place: BackupPlaceFacts }) {
  const isBad = problem !== undefined;
  return (
    <Line
      mark={isBad ? <BadIcon /> : ICONS[kind]}
      tone={isBad ? colour.bad : colour.brand}
      title={say(PLACES[kind])}
      note={isBad ? `${address} · ${say(problem)}` : address}
    />
  );
}

interface ListProps {
  readonly page: BackupsPage;
  readonly isBusy: boolean;
  readonly onRehearse: (backup: StoredBackup) => void;
  readonly onDownload: (backup: StoredBackup) => void;
}

function List({ page, isBusy, onRehearse, onDownload }: ListProps) {
  const now = useNow(60_000);
  if (page.backups.length === 0)
    return (
      <EmptyState icon={<BackupIcon />} title={t('No backup yet')}>
        {t('The first one is made when it is due, or when you press Back up now.')}
      </EmptyState>
    );
  return (
    <>
      <SheetHeading>{t('Kept backups')}</SheetHeading>
      <Surface aria-label={t('Kept backups')}>
        <Lines>
          {page.backups.map((backup) => {
            const what = t('{time}, {place}', {
              time: formatMoment(Date.parse(backup.at), now),
              place: say(PLACES[backup.place]),
            });
            return (
              <Line
                key={`${backup.place} ${backup.name}`}
                mark={ICONS[backup.place]}
                title={<Title backup={backup} now={now} />}
                note={noteOn(backup, now)}
              >
                <Button
                  variant="outlined"
                  color="inherit"
                  aria-label={`${t('Restore…')} ${what}`}
                  aria-disabled={isBusy}
                  onClick={() => onRehearse(backup)}
                >
                  {t('Restore…')}
                </Button>
                <Button
                  variant="outlined"
                  color="inherit"
                  aria-label={`${t('Download')} ${what}`}
                  onClick={() => onDownload(backup)}
                >
                  {t('Download')}
                </Button>
              </Line>
            );
          })}
        </Lines>
      </Surface>
    </>
  );
}

function Title({ backup: { at, damaged = 0, verifiedAt }, now }: { backup: StoredBackup; now: number }) {
  return (
    <>
      {formatMoment(Date.parse(at), now)}
      {damaged > 0 && (
        <Chip tone={colour.bad}>
          {t('{count, plural, one {# file} other {# files}} missing or damaged', { count: damaged })}
        </Chip>
      )}
      {verifiedAt === undefined && <Chip tone={colour.caution}>{t('Not verified')}</Chip>}
    </>
  );
}

/** Age, size, content, place and encryption, and when it was read back. */
function noteOn({ at, size, place, records, files, verifiedAt, isEncrypted }: StoredBackup, now: number): string {
  const content =
    records === undefined || files === undefined
      ? []
      : [
          t('{count, plural, one {# record} other {# records}}', { count: records }),
          t('{count, plural, one {# file} other {# files}}', { count: files }),
        ];
  return [
    formatAgo(Date.parse(at), now),
    formatSize(size),
    ...content,
    say(PLACES[place]),
    ...(isEncrypted === true ? [t('encrypted')] : []),
    ...(verifiedAt === undefined ? [] : [t('verified {time}', { time: formatMoment(Date.parse(verifiedAt), now) })]),
  ].join(' · ');
}

function NotForYou() {
  return (
    <>
      <PageHeader title={t('Backups')} />
      <EmptyState icon={<LockIcon />} title={t('Only owners can see backups')}>
        {t('Ask an owner if something has to be restored.')}
      </EmptyState>
    </>
  );
}
