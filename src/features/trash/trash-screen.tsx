import DeleteIcon from '@mui/icons-material/DeleteForeverOutlined';
import TrashIcon from '@mui/icons-material/DeleteOutlined';
import RestoreIcon from '@mui/icons-material/RestoreFromTrashOutlined';
import SearchIcon from '@mui/icons-material/Search';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { TrashEntry } from '../../domain/protocol/trash.ts';
import { type ResourceName, screenOf } from '../../domain/resource.ts';
import { RESOURCES, resourceOf } from '../../domain/resources/index.ts';
import { locale, say, t } from '../../language/t.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useMay } from '../../stores/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { formatMoment } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ListSkeleton } from '../../ui/skeletons.tsx';
import { deleteAllForGood, restoreAll } from './act-on-trash.tsx';
import { TrashPicture } from './trash-picture.tsx';
import { type TrashReading, useTrash } from './use-trash.ts';
import '../../fields/fields.css';
import './trash.css';

const DAY = 24 * 60 * 60 * 1000;

/** Deleted records of all kinds: who deleted them, how long they stay, and their way back. */
export default function TrashScreen() {
  const trash = useServerAbilities((abilities) => abilities.trash);
  if (trash === undefined) return <NothingKept />;
  return <Trash days={trash.days} />;
}

function NothingKept() {
  return (
    <>
      <PageHeader title={t('Trash')} />
      <EmptyState icon={<TrashIcon />} title={t('This server keeps no deleted records')}>
        {t('What is deleted here is deleted for good.')}
      </EmptyState>
    </>
  );
}

function Trash({ days }: { readonly days: number }) {
  const { kind, setKind, search, setSearch } = useFilter();
  const reading = useTrash({ ...(kind === undefined ? {} : { kind }), search });
  const { entries, total, failure, loading } = reading;
  const isFiltered = kind !== undefined || search !== '';
  return (
    <>
      <PageHeader
        title={t('Trash')}
        subtitle={t(
          '{days, plural, one {Deleted records stay here for # day} other {Deleted records stay here for # days}}',
          { days },
        )}
      />
      <search className="trash-filter">
        <div className="trash-search">
          <SearchIcon aria-hidden />
          <input
            type="search"
            className="control"
            aria-label={t('Search the trash')}
            placeholder={t('Search the trash')}
            value={search}
            autoComplete="off"
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <select
          className="control"
          aria-label={t('Kind')}
          value={kind ?? ''}
          onChange={(event) => setKind(event.target.value)}
        >
          <option value="">{t('All kinds')}</option>
          {RESOURCES.map(({ name, label }) => (
            <option key={name} value={name}>
              {say(label.many)}
            </option>
          ))}
        </select>
      </search>
      {failure !== undefined && (
        <FailureNotice message={failure} onRetry={() => void reading.reload()} retrying={loading}>
          {staleNotice(reading)}
        </FailureNotice>
      )}
      {entries === undefined && loading && <ListSkeleton rows={4} />}
      {entries?.length === 0 && (
        <EmptyState icon={<TrashIcon />} title={isFiltered ? t('Nothing found') : t('The trash is empty')}>
          {isFiltered ? undefined : t('Records that are deleted from a list come here.')}
        </EmptyState>
      )}
      {entries !== undefined && entries.length > 0 && <Entries {...reading} entries={entries} total={total} />}
    </>
  );
}

/** The kind and the search. A link from a list sets the kind. */
function useFilter() {
  const [address, setAddress] = useSearchParams();
  const [search, setSearch] = useState('');
  const kind = RESOURCES.find(({ name }) => name === address.get('kind'))?.name;
  const setKind = (name: ResourceName | string) => setAddress(name === '' ? {} : { kind: name }, { replace: true });
  return { kind, setKind, search, setSearch };
}

function staleNotice({ copiedAt }: TrashReading): string {
  if (copiedAt === undefined) return t('The trash needs a connection.');
  const time = formatMoment(copiedAt, Date.now());
  return t('The trash needs a connection. This is the list from {time}.', { time });
}

type Listed = TrashReading & { readonly entries: readonly TrashEntry[] };

function Entries(reading: Listed) {
  const { entries, total, failure, loading } = reading;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  const mayRestore = useMay('editor');
  const mayDelete = useMay('owner');
  const selected = entries.filter(({ entry }) => chosen.has(entry));
  const isAway = failure !== undefined;
  const during = async (work: () => Promise<unknown>) => {
    setBusy(true);
    await work();
    setChosen(new Set());
    await reading.reload();
    setBusy(false);
  };
  const onOpen = ({ resource, id }: TrashEntry) => void navigate(screenOf(resourceOf(resource), id));
  const restore = (some: readonly TrashEntry[]) => void during(() => restoreAll(some, onOpen));
  const remove = async (some: readonly TrashEntry[]) => {
    setBusy(true);
    const isDone = await deleteAllForGood(some);
    setBusy(false);
    if (isDone) await during(async () => undefined);
  };
  const acts: Acts = {
    disabled: busy || isAway,
    ...(mayRestore ? { restore } : {}),
    ...(mayDelete ? { remove: (some) => void remove(some) } : {}),
  };
  const all = entries.length === selected.length;
  const chooseAll = () => setChosen(new Set(all ? [] : entries.map(({ entry }) => entry)));
  const choose = (entry: number) =>
    setChosen((now) => new Set(now.has(entry) ? [...now].filter((one) => one !== entry) : [...now, entry]));
  return (
    <section className="trash-list" aria-label={t('Deleted records')} aria-busy={busy || loading}>
      {mayRestore && (
        <div className="trash-head">
          <label>
            <input type="checkbox" checked={all} onChange={chooseAll} />
            {selected.length === 0 ? t('Select all') : t('{count} selected', { count: selected.length })}
          </label>
          {selected.length > 0 && <Actions acts={acts} entries={selected} />}
        </div>
      )}
      <ul>
        {entries.map((entry) => (
          <Entry
            key={entry.entry}
            entry={entry}
            acts={acts}
            {...(mayRestore ? { isChosen: chosen.has(entry.entry), onChoose: () => choose(entry.entry) } : {})}
          />
        ))}
      </ul>
      {entries.length < total && (
        <Button variant="outlined" color="inherit" disabled={loading} onClick={() => void reading.loadMore()}>
          {t('Show more')}
        </Button>
      )}
    </section>
  );
}

/** What the user may do with deleted records. */
interface Acts {
  readonly disabled: boolean;
  readonly restore?: (entries: readonly TrashEntry[]) => void;
  readonly remove?: (entries: readonly TrashEntry[]) => void;
}

/** The actions on the chosen records. */
function Actions({ acts: { disabled, restore, remove }, entries }: { acts: Acts; entries: readonly TrashEntry[] }) {
  return (
    <span className="trash-actions">
      {remove && (
        <Button color="error" startIcon={<DeleteIcon />} disabled={disabled} onClick={() => remove(entries)}>
          {t('Delete for good')}
        </Button>
      )}
      {restore && (
        <Button variant="contained" startIcon={<RestoreIcon />} disabled={disabled} onClick={() => restore(entries)}>
          {t('Restore')}
        </Button>
      )}
    </span>
  );
}

interface EntryProps {
  readonly entry: TrashEntry;
  readonly acts: Acts;
  readonly isChosen?: boolean;
  readonly onChoose?: () => void;
}

function Entry({ entry, acts: { disabled, restore, remove }, isChosen = false, onChoose }: EntryProps) {
  const { title } = entry;
  return (
    <li data-chosen={isChosen || undefined}>
      {onChoose && (
        <input type="checkbox" aria-label={t('Select {title}', { title })} checked={isChosen} onChange={onChoose} />
      )}
      <TrashPicture entry={entry} />
      <div className="trash-words">
        <strong>{title}</strong>
        <Facts entry={entry} />
      </div>
      <span className="trash-actions">
        {remove && (
          <IconButton
            type="button"
            disabled={disabled}
            title={t('Delete for good')}
            aria-label={t('Delete “{title}” for good', { title })}
            onClick={() => remove([entry])}
          >
            <DeleteIcon fontSize="inherit" />
          </IconButton>
        )}
        {restore && (
          <Button
            variant="outlined"
            color="inherit"
            disabled={disabled}
            startIcon={<RestoreIcon />}
            aria-label={t('Restore “{title}”', { title })}
            onClick={() => restore([entry])}
          >
            {t('Restore')}
          </Button>
        )}
      </span>
    </li>
  );
}

/** Kind, who deleted it and when, what comes back with it, and how long it stays. */
function Facts({ entry }: { readonly entry: TrashEntry }) {
  const { resource, deletedAt, files } = entry;
  const { deleted, left } = timesOf(entry);
  return (
    <span className="trash-facts">
      <span>{say(resourceOf(resource).label.one)}</span>
      <time dateTime={deletedAt} title={new Date(deletedAt).toLocaleString(locale())}>
        {deleted}
      </time>
      {files > 0 && <span>{t('{count, plural, one {# file} other {# files}}', { count: files })}</span>}
      <span data-soon={left <= SOON || undefined}>
        {left === 0
          ? t('Will be deleted for good today')
          : t('{days, plural, one {# day left} other {# days left}}', { days: left })}
      </span>
    </span>
  );
}

/** Days before the end that are marked. */
const SOON = 3;

function timesOf({ deletedAt, deletedBy, until }: TrashEntry) {
  const now = Date.now();
  const time = formatMoment(Date.parse(deletedAt), now);
  return {
    deleted: t('Deleted by {name}, {time}', { name: deletedBy, time }),
    // rounded: the clocks of server and device differ
    left: Math.max(0, Math.round((Date.parse(until) - now) / DAY)),
  };
}
