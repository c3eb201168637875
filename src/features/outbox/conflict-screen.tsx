import DoneIcon from '@mui/icons-material/CloudDoneOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { useEntries } from '../../api/live.ts';
import { outbox } from '../../api/outbox.ts';
import { type Comparison, compare } from '../../domain/outbox/conflict.ts';
import { isDeletion, isReadable } from '../../domain/outbox/scheduler.ts';
import { type Base, type FileReference, filesOf, isLocalId, type OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { isAttachment } from '../../domain/fields.ts';
import { fieldOf } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { namesOfOthers, useAuthors } from '../../resource/edit/use-authors.ts';
import { toldDone } from '../../resource/told.ts';
import { abandonUnsavedWork, useUnsaved } from '../../stores/unsaved.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatMoment } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { ChangedField, ConflictField } from './conflict-field.tsx';
import { type Choice, type Choices, chosenAll, decidedValues, firstChoices, openFields } from './decision.ts';
import { operationOf } from './entry-words.ts';
import { useEntryActions } from './use-entry-actions.ts';
import './outbox.css';
import { Link } from '../../ui/link.tsx';
import { t } from '../../language/t.ts';

/** Compares a local change with the server's version field by field, and sends the resolution. */
export default function ConflictScreen() {
  const { entryId = '' } = useParams();
  const entries = useEntries();
  const entry = entries?.find(({ id }) => id === entryId);
  const theirs = entry?.conflict?.theirs;
  if (entries === undefined) return <FormSkeleton fields={4} />;
  if (entry === undefined || theirs === undefined || !isReadable(entry)) {
    return (
      <>
        <PageHeader title={t('Compare')} />
        <EmptyState
          icon={<DoneIcon />}
          title={t('This is settled')}
          action={
            <Button component={Link} to="/outbox" variant="contained">
              {t('Outbox')}
            </Button>
          }
        />
      </>
    );
  }
  return <Decision key={entry.id} entry={entry} theirs={theirs} />;
}

function Decision({ entry, theirs }: { entry: OutboxEntry; theirs: Base }) {
  const navigate = useNavigate();
  const { discard } = useEntryActions();
  const comparison = compare(entry.change, theirs);
  const [choices, setChoices] = useState<Choices>(() => firstChoices(comparison));
  const open = openFields(comparison, choices);
  const deletes = isDeletion(entry);
  const owner = resourceOf(entry.change.resource);
  const { recordId } = entry.change;
  const names = namesOfOthers(
    entry,
    useAuthors(owner, isLocalId(recordId) ? undefined : Number(recordId), theirs.version),
  );
  const canBeMine = (name: string) => {
    const field = fieldOf(owner, name);
    return field === undefined || !isAttachment(field) || filesOf(entry).some((file) => file.field === name);
  };
  // A choice is made again in a moment, but a typed value would be lost with the page.
  useUnsaved(comparison.differences.some(({ field, mine }) => isTyped(choices[field], mine)));
  const toOutbox = () => {
    abandonUnsavedWork();
    void navigate('/outbox');
  };
  const chooseAll = (side: 'mine' | 'theirs') => setChoices(chosenAll(comparison, side, canBeMine));
  const giveUp = async () => {
    if (await discard(entry)) toOutbox();
  };
  const send = async () => {
    const decision = outbox.resolve(entry.id, decidedValues(comparison, choices), filesLeftOut(entry, choices));
    if (await toldDone(decision, t('Your choice was not saved.'))) toOutbox();
  };
  return (
    <>
      <PageHeader title={t('Compare {title}', { title: entry.title })} subtitle={subtitleOf(entry, names)} />
      {deletes ? (
        <p>
          {names === ''
            ? t('Someone else has edited it since you last saw it. Delete it anyway?')
            : t('Edited by {names} since you last saw it. Delete it anyway?', { names })}
        </p>
      ) : (
        <div className="conflict-heads conflict-columns">
          <Button color="inherit" variant="outlined" onClick={() => chooseAll('mine')}>
            {t('All mine')}
          </Button>
          <Button color="inherit" variant="outlined" onClick={() => chooseAll('theirs')}>
            {t('All theirs')}
          </Button>
        </div>
      )}
      <div className="entries">
        {comparison.differences.map((difference) => {
          const field = fieldOf(owner, difference.field);
          if (deletes) return <ChangedField key={difference.field} field={field} difference={difference} />;
          return (
            <ConflictField
              key={difference.field}
              field={field}
              difference={difference}
              ownPicture={pictureOf(entry, difference.field)}
              canBeMine={canBeMine(difference.field)}
              choice={choices[difference.field]}
              onChoose={(choice) => setChoices({ ...choices, [difference.field]: choice })}
            />
          );
        })}
      </div>
      {photosNote(comparison) !== '' && <p className="conflict-photos">{photosNote(comparison)}</p>}
      <div className="conflict-foot">
        <Button
          variant="contained"
          color={deletes ? 'error' : 'primary'}
          disabled={!deletes && open.length > 0}
          onClick={() => void send()}
        >
          {deletes ? t('Delete anyway') : t('Save choices')}
        </Button>
        <Button color="inherit" onClick={() => void giveUp()}>
          {t('Discard my change')}
        </Button>
        {!deletes && open.length > 0 && (
          <span>{t('{count, plural, one {# field left} other {# fields left}}', { count: open.length })}</span>
        )}
      </div>
    </>
  );
}

function isTyped(choice: Choice | undefined, mine: string): boolean {
  return typeof choice === 'object' && choice.edited !== mine;
}

/** Mentions photos added or deleted on the server. They never conflict with an edit, so there is nothing to choose. */
function photosNote({ images: { added, removed } }: Comparison): string {
  const came = added.length > 0 && t('{count, plural, one {# photo} other {# photos}} added', { count: added.length });
  const went =
    removed.length > 0 && t('{count, plural, one {# photo} other {# photos}} deleted', { count: removed.length });
  const both = [came, went].filter(Boolean).join(', ');
  return both === '' ? '' : t('Meanwhile on the server: {both}. That stays as it is.', { both });
}

/** The picture picked on this device for a field. Catalogues are shown by name, so they have none. */
function pictureOf({ change }: OutboxEntry, field: string): FileReference | undefined {
  if (!('files' in change)) return undefined;
  return change.files.find((file) => file.field === field && file.type.startsWith('image/'));
}

/** Ids of local files that are not sent, because "Theirs" was chosen for their field. */
function filesLeftOut({ change }: OutboxEntry, choices: Choices): string[] {
  if (!('files' in change)) return [];
  return change.files.filter(({ field }) => choices[field] === 'theirs').map(({ id }) => id);
}

function subtitleOf(entry: OutboxEntry, names: string): string {
  const values = { operation: operationOf(entry), time: momentOf(entry) };
  if (entry.conflict?.own) return t('{operation}, {time} on this device. You have edited it since.', values);
  return names === ''
    ? t('{operation}, {time} on this device. Someone else has edited it since.', values)
    : t('{operation}, {time} on this device. Edited since by {names}.', { ...values, names });
}

function momentOf({ createdAt }: OutboxEntry): string {
  return formatMoment(createdAt, Date.now());
}
