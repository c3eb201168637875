import Button from '@mui/material/Button';
import SearchOffIcon from '@mui/icons-material/SearchOff';
import { useParams } from 'react-router-dom';
import { type RecordReading, useRecord } from '../api/reads.ts';
import { isLocalId } from '../domain/outbox/vocabulary.ts';
import { type AnyResource, isSingle, type Resource, routesOf, textOf } from '../domain/resource.ts';
import { useMay } from '../stores/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { Freshness } from '../ui/freshness.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { FormSkeleton } from '../ui/skeletons.tsx';
import { deliveryWords } from './edit/delivery-words.ts';
import { EditActions, Neighbours } from './edit/edit-actions.tsx';
import { EditForm } from './edit/edit-form.tsx';
import { OthersHere } from './edit/others-here.tsx';
import { RecordHistory } from './edit/record-history.tsx';
import { useOpening } from './edit/use-opening.ts';
import { Link } from '../ui/link.tsx';
import { say, t } from '../language/t.ts';
import { sayTitle } from './say-title.ts';
import { ViewOnSite } from './view-on-site.tsx';

/** Edits the only record of its kind, or one by its server or local id. Follows a local id to the server's once known. */
export default function EditScreen({ resource }: { resource: AnyResource }) {
  const params = useParams();
  const id = isSingle(resource) ? String(resource.only) : (params['id'] ?? '');
  const reading = useRecord(resource, id);
  const { view, record, failure, missing, serverId } = reading;
  const { opening, draftKey, reopen } = useOpening(resource, id, reading);
  const version = textOf(record?.['version']);
  const mayEdit = useMay('editor');
  const title =
    view === undefined || isSingle(resource) ? say(resource.label.one) : sayTitle(resource, { id, ...view.values });
  return (
    <>
      <PageHeader
        title={isSingle(resource) || !mayEdit ? title : t('Edit {title}', { title })}
        freshness={missing ? undefined : <HowItStands resource={resource} id={id} reading={reading} />}
        actions={
          view && (
            <>
              {serverId !== undefined && <ViewOnSite resource={resource} id={serverId} />}
              {mayEdit && !isSingle(resource) && <EditActions resource={resource} view={view} />}
            </>
          )
        }
      />
      {/* With an open form, the heading shows the age: a notice would move what the user is about to press. */}
      {failure !== undefined && view === undefined && (
        <FailureNotice message={failure} onRetry={reading.refresh} retrying={reading.refreshing}>
          {t('This record is not on this device yet.')}
        </FailureNotice>
      )}
      {missing && opening === undefined && !isSingle(resource) && <Gone resource={resource} />}
      {opening !== undefined && (
        <EditForm key={opening.formKey} {...{ resource, id, draftKey, opening, reading }} onMergedRefused={reopen}>
          {(onBringBack) =>
            serverId !== undefined &&
            version !== '' && (
              <RecordHistory
                owner={resource}
                id={serverId}
                version={version}
                values={view?.values ?? opening.view.values}
                onBringBack={mayEdit ? onBringBack : undefined}
              />
            )
          }
        </EditForm>
      )}
      {opening === undefined && !missing && failure === undefined && <NotShown resource={resource} reading={reading} />}
    </>
  );
}

/** While the record is read. One of which only its deletion is known here is never shown as an empty form. */
function NotShown({ resource, reading }: { resource: AnyResource; reading: RecordReading }) {
  if (reading.refreshing || reading.view?.known !== false) return <FormSkeleton fields={resource.fields.length} />;
  return <EmptyState title={t('Will be deleted when sent')}>{t('This record is not on this device yet.')}</EmptyState>;
}

/** The age of the copy, or the delivery of a new record, who else has the record open, and its position in the list. */
function HowItStands({ resource, id, reading }: { resource: AnyResource; id: string; reading: RecordReading }) {
  const entries = reading.view?.entries ?? [];
  return (
    <>
      {isLocalId(id) ? (
        deliveryWords(entries, 'create', t('Only on this device so far'))
      ) : (
        <Freshness {...reading} onRefresh={reading.refresh} />
      )}
      {reading.serverId !== undefined && <OthersHere resource={resource.name} id={reading.serverId} />}
      {!isSingle(resource) && <Neighbours resource={resource} id={id} />}
    </>
  );
}

function Gone({ resource }: { resource: Resource }) {
  return (
    <EmptyState
      icon={<SearchOffIcon />}
      title={t('This {what} no longer exists', { what: say(resource.label.one) })}
      action={
        <Button component={Link} to={routesOf(resource).list} variant="contained">
          {say(resource.label.list)}
        </Button>
      }
    >
      {t('It was deleted, or the link to it is wrong.')}
    </EmptyState>
  );
}
