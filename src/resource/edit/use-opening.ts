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

/** The parts an edit form opens with. */
export interface EditOpening {
  readonly formKey: string;
  readonly view: RecordView;
  readonly draft: FormDraft | null;
  readonly refused: Refused | null;
}

interface Opened {
  /** The opening, kept while the form is open. Undefined until all parts are loaded. */
  readonly opening: EditOpening | undefined;
  readonly draftKey: string;
  /** Reopens the form on a refused change that an edit was merged into, with newer input. */
  readonly reopen: (entryId: string, typed: FormContent | undefined) => void;
}

/** Gathers the opening of an edit form: the record, its draft and its refused change. */
export function useOpening(resource: AnyResource, id: RecordId, reading: RecordReading): Opened {
  const { view, localId, serverId } = reading;
  const followedKey = useFollowedId(resource, id, serverId);
  const administrator = useAdministrator();
  const draftKey = recordDraftKey(administrator, resource, id);
  const draft = useStoredDraft(draftKey, localId && recordDraftKey(administrator, resource, localId));
  const refused = useRefused(view);
  const [kept, setKept] = useState<EditOpening>();
  const [reopening, setReopening] = useState<Reopening>();
  // Input belongs to one administrator and one record.
  const work = `${administrator} ${followedKey}`;
  const reopened = reopening?.work === work ? reopening : undefined;
  const formKey = `${work} ${reopened?.entryId ?? ''}`;
  const asked = reopened === undefined || refused?.entryId === reopened.entryId;
  const ready = view?.known === true && draft !== undefined && refused !== undefined && asked;
  // A record that gets its server id must not reset its form.
  if (ready && kept?.formKey !== formKey)
    setKept({ formKey, view, refused, draft: reopened === undefined ? draft : laidOver(refused, reopened) });
  return {
    opening: kept?.formKey === formKey ? kept : undefined,
    draftKey,
    reopen: (entryId, typed) => setReopening({ work, entryId, typed: typed && { ...typed, savedAt: Date.now() } }),
  };
}

/** A refused change to reopen in place of the edit that was merged into it. */
interface Reopening {
  /** The administrator and the record. */
  readonly work: string;
  readonly entryId: string;
  /** Input typed during the save of that edit. */
  readonly typed: FormDraft | undefined;
}

function laidOver(refused: Refused | null, { typed }: Reopening): FormDraft | null {
  if (typed === undefined || refused === null) return null;
  const { values, files } = refused.content;
  return { ...typed, values: { ...values, ...typed.values }, files: [...files, ...typed.files] };
}

/**
 * Follows a record with a local id to its server id: the address changes, the form stays open. Returns a key that is the same
 * before and after.
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
