import HistoryIcon from '@mui/icons-material/HistoryOutlined';
import Button from '@mui/material/Button';
import { type ComponentType, lazy, type ReactNode, type RefObject, Suspense, useEffect, useMemo, useRef } from 'react';
import { useLinkClickHandler, useLocation, useNavigate } from 'react-router-dom';
import { MAX_FILE_BYTES } from '../../domain/limits.ts';
import type { Change, RecordId } from '../../domain/outbox/vocabulary.ts';
import { type AnyResource, isSingle, routesOf } from '../../domain/resource.ts';
import type { FieldErrors, Values } from '../../domain/validate.ts';
import { useMay } from '../../stores/session.ts';
import { useUnsaved } from '../../stores/unsaved.ts';
import { formatMoment } from '../../ui/format.ts';
import { conflictPath, type GoingOn, type WayBack } from '../paths.ts';
import { hintsFor } from './content.ts';
import { ErrorSummary } from './error-summary.tsx';
import { restoredNotes, theirFileNotes, theirNotes, twinNote } from './field-notes.tsx';
import type { NotStoredNoticeProps } from './not-stored.tsx';
import { RecordFields, type RecordFieldsProps } from './record-fields.tsx';
import { type FormSession, isDirty, isSaving, unsavedContent } from './session.ts';
import { forgetDraft, handOffDraft, noteKept, useKeepDraft } from './use-draft.ts';
import { useKnown } from './use-known.ts';
import { useSaveKey, useStrayDrops } from './use-page-events.ts';
import { type OpenForm, type SaveOptions, useSave } from './use-save.ts';
import '../../fields/fields.css';
import './form.css';
import { t } from '../../language/t.ts';
import { sayTitle } from '../say-title.ts';

// Loaded on demand: few devices are ever full. Without its code, the toast alone says it.
const NotStoredNotice = lazy<ComponentType<NotStoredNoticeProps>>(() =>
  import('./not-stored.tsx').catch(() => ({ default: () => null })),
);

interface RecordFormProps
  extends Pick<RecordFieldsProps, 'present' | 'presentActions'>,
    Pick<SaveOptions, 'creating' | 'changeOf' | 'onMergedRefused'> {
  readonly resource: AnyResource;
  readonly form: OpenForm;
  /** The key of the unsaved draft. */
  readonly draftKey: string;
  /** Discards the restored draft. */
  readonly onDiscardRestored: () => void;
  readonly submitLabel: string;
  /** Called after a save that keeps the form open, emptied. Without it, the list follows. */
  readonly onStay?: (() => void) | undefined;
  /** The edited record. */
  readonly recordId?: RecordId | undefined;
  /** The next record of the list, for Save and next. */
  readonly next?: RecordId | undefined;
  /** The status shown while nothing is typed. */
  readonly stateWords?: string;
  /** A notice above the fields. */
  readonly notice?: ReactNode;
  /** A notice that appears while the user works. It overlays the bottom of the form and moves nothing. */
  readonly saveNotice?: ReactNode;
  /** Values that someone else has changed since, by field. */
  readonly theirs?: Values;
  /** The names of those who last changed each field on the server, as far as that is known. */
  readonly authors?: Values;
  /** Values that were just put in from an earlier version. Their fields are marked, and the first is focused. */
  readonly restored?: Values;
  /** Names of the fields whose file someone else has replaced since. */
  readonly theirFiles?: readonly string[];
  /** The values of the record that a new one was copied from. */
  readonly copied?: Values;
  /** Content below the fields. */
  readonly children?: ReactNode;
}

/** THE form: notices, the error summary, the fields of a definition in sections, and a sticky Save. */
export function RecordFormView(props: RecordFormProps) {
  const { resource, form, draftKey, creating } = props;
  const { session } = form;
  const element = useRef<HTMLFormElement>(null);
  const save = useSave({ ...props, titleOf: (values) => sayTitle(resource, values) });
  const dirty = isDirty(session);
  const { restoredAt = 0 } = session;
  const mayEdit = useMay('editor');
  const idOf = ({ name }: { name: string }) => `${resource.path}-${name}`;
  useUnsaved(dirty);
  const forget = useUnsavedDraft(draftKey, session, dirty);
  const { records, suggestions } = useKnown(resource, element);
  const goesOn = useRef(false);
  useAfterSave(props, element, { goesOn, forget });
  useEnteredField(element);
  useSaveKey(element);
  useStrayDrops();
  const firstRestored = session.fields.find(({ name }) => props.restored?.[name] !== undefined);
  const restoredId = firstRestored && idOf(firstRestored);
  // Each restoration is a new object, so that a second one of the same field is seen too.
  useEffect(() => {
    if (props.restored !== undefined && restoredId !== undefined) document.getElementById(restoredId)?.focus();
  }, [props.restored, restoredId]);
  return (
    <form
      ref={element}
      className="record-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        goesOn.current = submitterOf(event)?.value === GO_ON;
        if (mayEdit) void save();
      }}
    >
      {props.notice}
      {dirty && restoredAt > 0 && <RestoredBar at={restoredAt} onDiscard={props.onDiscardRestored} />}
      {session.notStored && (
        <Suspense fallback={null}>
          <NotStoredNotice why={session.notStored} files={session.now.files} />
        </Suspense>
      )}
      <ErrorSummary session={session} idOf={idOf} onSaveAnyway={() => void save(true)} />
      <RecordFields
        form={form}
        readOnly={!mayEdit}
        hints={useHints(session, creating)}
        present={props.present}
        idOf={idOf}
        suggestions={suggestions}
        notes={{
          ...(dirty && !isSingle(resource) && !isCopy(props, session)
            ? twinNote(resource, records, session, props.recordId)
            : {}),
          ...restoredNotes(props.restored ?? {}, session),
          ...theirNotes(form, props.theirs ?? {}, props.authors),
          ...theirFileNotes(props.theirFiles ?? [], props.authors),
        }}
        presentActions={props.presentActions}
      />
      {props.children}
      {mayEdit ? <SaveBar {...props} dirty={dirty} /> : <ReadOnlyBar resource={resource} />}
    </form>
  );
}

/** True while a duplicate still has the name it was copied with. That it exists is no news. */
function isCopy({ copied, resource }: Pick<RecordFormProps, 'copied' | 'resource'>, { now }: FormSession): boolean {
  return copied !== undefined && resource.title.every((name) => now.values[name] === copied[name]);
}

/** The value of the Save and next button. */
const GO_ON = 'next';

/** The control last worked in. The next record opens at the same one. */
let lastField: string | undefined;

function submitterOf({ nativeEvent }: { readonly nativeEvent: Event }): HTMLButtonElement | null {
  return nativeEvent instanceof SubmitEvent ? (nativeEvent.submitter as HTMLButtonElement | null) : null;
}

/** After Save and next, focuses the field last worked in and selects its text. */
function useEnteredField(element: FormElement): void {
  const { state } = useLocation();
  const name = (state as Partial<GoingOn> | null)?.field;
  useEffect(() => {
    const control = element.current?.querySelector<HTMLElement>(`.control[name="${name ?? ''}"]`);
    control?.focus();
    if (control instanceof HTMLInputElement) control.select();
  }, [element, name]);
  useEffect(() => {
    const form = element.current;
    const remember = ({ target }: Event) => {
      if (target instanceof HTMLElement && target.matches('.control'))
        lastField = target.getAttribute('name') ?? undefined;
    };
    form?.addEventListener('focusin', remember);
    return () => form?.removeEventListener('focusin', remember);
  }, [element]);
}

function SaveBar(props: RecordFormProps & { dirty: boolean }) {
  const { form, resource, submitLabel, saveNotice, stateWords = '', dirty } = props;
  const { session } = form;
  const reading = session.reading.length > 0;
  return (
    <div className="save-bar">
      {saveNotice}
      <Button
        type="submit"
        variant="contained"
        size="large"
        loading={isSaving(session)}
        loadingPosition="start"
        disabled={reading}
      >
        {reading ? t('Reading photos…') : submitLabel}
      </Button>
      {props.next !== undefined && (
        <Button
          type="submit"
          variant="outlined"
          color="inherit"
          size="large"
          value={GO_ON}
          disabled={reading || isSaving(session)}
        >
          {t('Save and next')}
        </Button>
      )}
      {!isSingle(resource) && <Cancel href={routesOf(resource).list} />}
      <span className="save-state">{dirty ? t('Not saved yet') : stateWords}</span>
    </div>
  );
}

/** Replaces Save for viewers. */
function ReadOnlyBar({ resource }: { resource: AnyResource }) {
  return (
    <div className="save-bar">
      {!isSingle(resource) && <Cancel href={routesOf(resource).list} label={t('Back')} />}
      <span className="save-state">{t('Your role is viewer. Ask an owner if you need to edit.')}</span>
    </div>
  );
}

const BACK: WayBack = { back: true };

/** A link, so that the list can open in another tab. A plain click asks before anything is lost. */
function Cancel({ href, label = t('Cancel') }: { href: string; label?: string }) {
  const lead = useLinkClickHandler<HTMLAnchorElement>(href, { state: BACK });
  return (
    <Button component="a" color="inherit" size="large" href={href} onClick={lead}>
      {label}
    </Button>
  );
}

/** Says that an unsaved draft was restored, and offers to discard it. */
function RestoredBar({ at, onDiscard }: { at: number; onDiscard: () => void }) {
  return (
    <output className="form-bar">
      <HistoryIcon aria-hidden />
      <span>
        <strong>{t('Unsaved draft restored')}</strong> ({momentOf(at)})
      </span>
      <Button
        color="inherit"
        onClick={({ currentTarget }) => {
          // The bar goes with this button.
          currentTarget.form?.querySelector<HTMLElement>('.control')?.focus();
          onDiscard();
        }}
      >
        {t('Discard')}
      </Button>
    </output>
  );
}

function momentOf(at: number): string {
  return formatMoment(at, Date.now());
}

/** Keeps what is typed as an unsaved draft. Returns a function that removes it after a save. */
function useUnsavedDraft(draftKey: string, session: FormSession, dirty: boolean): () => void {
  const { base, phase, repairing } = session;
  const unsaved = useMemo(() => unsavedContent(session), [session]);
  const kept = {
    ...unsaved,
    ...(base === undefined ? {} : { base }),
    ...(repairing === undefined ? {} : { repairing }),
  };
  // A draft of a new record that is already stored would create the record twice.
  const keeps = phase.kind !== 'stored' || base !== undefined;
  const own = useKeepDraft(draftKey, kept, dirty && keeps, session.restoredAt !== undefined);
  const sent = phase.kind === 'stored' ? phase.sent.files : undefined;
  useEffect(() => {
    if (sent !== undefined) noteKept(sent);
  }, [sent]);
  return () => forgetDraft(draftKey, own?.current, session.now);
}

interface AfterSave {
  readonly goesOn: { readonly current: boolean };
  /** Removes the draft. */
  readonly forget: () => void;
}

/** Leaves the form after a save, once it no longer counts as unsaved, so that no question appears. */
function useAfterSave(props: RecordFormProps, element: FormElement, { goesOn, forget }: AfterSave): void {
  const { resource, form, creating, onStay, next } = props;
  const navigate = useNavigate();
  const { phase } = form.session;
  const leave = async () => {
    if (phase.kind === 'conflict') return navigate(conflictPath(phase.entryId));
    if (phase.kind !== 'done') return undefined;
    forget();
    if (!isSingle(resource)) {
      if (phase.typed !== undefined) return navigate(await handOffDraft(resource, phase.entry, phase.typed));
      const goingOn: GoingOn = { field: lastField };
      if (goesOn.current && next !== undefined) return navigate(routesOf(resource).edit(next), { state: goingOn });
      if (onStay === undefined) return navigate(routesOf(resource).list, { state: wayBackFrom(phase.entry.change) });
    }
    onStay?.();
    if (!creating) return undefined;
    return element.current?.querySelector<HTMLElement>('.control')?.focus();
  };
  const latest = useRef(leave);
  useEffect(() => {
    latest.current = leave;
  });
  useEffect(() => {
    if (phase.kind === 'conflict' || phase.kind === 'done') void latest.current();
  }, [phase]);
}

function wayBackFrom(change: Change): WayBack {
  return 'recordId' in change ? { back: true, saved: change.recordId } : { back: true };
}

type FormElement = RefObject<HTMLFormElement | null>;

/** Hints worth showing while typing. Empty required fields are reported on Save. */
function useHints({ fields, now }: FormSession, creating: boolean): FieldErrors {
  return useMemo(() => {
    const all = hintsFor(fields, now, { creating, maxFileBytes: MAX_FILE_BYTES });
    const picked = new Set(now.files.map(({ field }) => field));
    const filled = (name: string) => (now.values[name] ?? '') !== '' || picked.has(name.replace(/\.\d+$/, ''));
    return Object.fromEntries(Object.entries(all).filter(([name]) => filled(name)));
  }, [fields, now, creating]);
}
