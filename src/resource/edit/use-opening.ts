import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { FormDraft } from '../../api/drafts.ts';
import type { RecordReading } from '../../api/reads.ts';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import { isLocalId, type RecordId } from '../../domain/outbox/vocabulary.ts';
import { type AnyResource, isSingle, routesOf } from '../../domain/resource.ts';
import type { FormContent } from '../form/content.ts';
import { recordDraftKey } from '../../domain/draft-keys.ts';
import { useStoredDraft } from '../form/use-draft.ts';
import { useAdministrator } from '../use-administrator.ts';
import { type Refused, useRefused } from './use-refused.ts';

/** What an edit form opens with. */
export interface EditOpening {
  readonly formKey: string;
  readonly view: RecordView;
  readonly draft: FormDraft | null;
  readonly refused: Refused | null;
}

interface Opened {
  /** What the form opened with, kept while it stands; undefined until all of it is there. */
  readonly opening: EditOpening | undefined;
  readonly draftKey: string;
  /** A refused change is to be opened in place of the edit that was merged into it, with what was typed since. */
  readonly reopen: (entryId: string, typed: FormContent | undefined) => void;
}

/** Gathers what the form of a record opens with: the record as it is here, its draft, its refused change. */
export function useOpening(resource: AnyResource, id: RecordId, reading: RecordReading): Opened {
  const { view, localId, serverId } = reading;
  const followedKey = useFollowedId(resource, id, serverId);
  const administrator = useAdministrator();
  const draftKey = recordDraftKey(administrator, resource, id);
  const draft = useStoredDraft(draftKey, localId && recordDraftKey(administrator, resource, localId));
  const refused = useRefused(view);
  const [kept, setKept] = useState<EditOpening>();
  const [reopening, setReopening] = useState<Reopening>();
  // What one administrator types into one record is neither another's nor another record's.
  const work = `${administrator} ${followedKey}`;
  const reopened = reopening?.work === work ? reopening : undefined;
  const formKey = `${work} ${reopened?.entryId ?? ''}`;
  const asked = reopened === undefined || refused?.entryId === reopened.entryId;
  const ready = view !== undefined && draft !== undefined && refused !== undefined && asked;
  // A record that gets its id meanwhile must not empty its form.
  if (ready && kept?.formKey !== formKey)
    setKept({ formKey, view, refused, draft: reopened === undefined ? draft : laidOver(refused, reopened) });
  return {
    opening: kept?.formKey === formKey ? kept : undefined,
    draftKey,
    reopen: (entryId, typed) => setReopening({ work, entryId, typed: typed && { ...typed, savedAt: Date.now() } }),
  };
}

/** A refused change that the form is to open on, in place of the edit that was merged into it. */
interface Reopening {
  /** Whose form of which record. */
  readonly work: string;
  readonly entryId: string;
  /** What was typed while that edit was being saved. */
  readonly typed: FormDraft | undefined;
}

function laidOver(refused: Refused | null, { typed }: Reopening): FormDraft | null {
  if (typed === undefined || refused === null) return null;
  const { values, files } = refused.content;
  return { ...typed, values: { ...values, ...typed.values }, files: [...files, ...typed.files] };
}

/**
 * Follows a record made on this device to the server's id as soon as it has one: the address changes, the open form stays.
 * Answers a key that is the same before and after.
 */
function useFollowedId(resource: AnyResource, id: RecordId, serverId: number | undefined): string {
  const navigate = useNavigate();
  const location = useLocation();
  const [followed, setFollowed] = useState({ key: id, id });
  const from = (location.state as { followedFrom?: RecordId } | null)?.followedFrom;
  if (followed.id !== id) setFollowed({ key: from === followed.id ? followed.key : id, id });

  useEffect(() => {
    if (isSingle(resource) || !isLocalId(id) || serverId === undefined) return;
    void navigate(routesOf(resource).edit(serverId), { replace: true, state: { followedFrom: id, samePage: true } });
  }, [id, serverId, resource, navigate]);
  return followed.id === id ? followed.key : id;
}
