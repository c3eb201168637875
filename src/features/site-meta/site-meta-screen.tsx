import { useSiteMeta } from '../../api/reads.ts';
import { siteMeta as resource } from '../../domain/resources/site-meta.ts';
import { RecordHistory } from '../../resource/edit/record-history.tsx';
import { recordDraftKey, useStoredDraft } from '../../resource/form/use-draft.ts';
import { useAdministrator } from '../../resource/use-administrator.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { SiteMetaForm } from './site-meta-form.tsx';
import { useWaitingSiteMeta } from './use-waiting-site-meta.ts';

/** The site-wide settings, from the device's copy, with what waits in the outbox laid over it. */
export default function SiteMetaScreen() {
  const { siteMeta, ...reading } = useSiteMeta();
  const waiting = useWaitingSiteMeta(reading.fetchedAt);
  const draftKey = recordDraftKey(useAdministrator(), resource, '');
  const draft = useStoredDraft(draftKey);
  const ready = siteMeta !== undefined && draft !== undefined && waiting !== undefined;
  return (
    <>
      <PageHeader title={resource.label.one} freshness={<Freshness {...reading} onRefresh={reading.refresh} />} />
      {reading.failure !== undefined && siteMeta === undefined && (
        <FailureNotice message={reading.failure} onRetry={reading.refresh} retrying={reading.refreshing}>
          These settings are not on this device yet.
        </FailureNotice>
      )}
      {ready && (
        <SiteMetaForm siteMeta={siteMeta} waiting={waiting} draft={draft} draftKey={draftKey}>
          {siteMeta.version !== undefined && (
            <RecordHistory owner={resource} id={resource.only} version={siteMeta.version} />
          )}
        </SiteMetaForm>
      )}
      {!ready && reading.failure === undefined && <FormSkeleton fields={resource.fields.length} />}
    </>
  );
}
