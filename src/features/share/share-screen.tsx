import PhotosIcon from '@mui/icons-material/AddPhotoAlternateOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useObjectUrl } from '../../fields/photos/use-object-url.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { catalog } from '../../domain/resources/common.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { useMay } from '../../stores/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Link } from '../../ui/link.tsx';
import { RESOURCE_ICONS } from '../../ui/resource-icons.ts';
import { IntoRecord } from './into-record.tsx';
import { KindButton, Kinds, Photo, Photos, Question } from './share-parts.ts';
import { type SharedPhotos, useShared } from './use-shared.ts';
import { msg, sayOf, t } from '../../language/t.ts';

/** What is photographed most comes first: the devices of the catalogue, then the pages of the site. */
const DEVICES_FIRST = [
  ...RESOURCES.filter(({ fields }) => fields.includes(catalog)),
  ...RESOURCES.filter(({ fields }) => !fields.includes(catalog)),
];

/** Photos from the device's share sheet: asks which record they go into, or which kind of record they start. */
export default function ShareScreen() {
  const shared = useShared();
  const [search] = useSearchParams();
  const isFailed = search.has('failed');
  if (shared === undefined) return <PageHeader title={t('Shared photos')} />;
  if (shared.photos.length === 0) return <NothingShared isFailed={isFailed} />;
  return <WhatFor shared={shared} isFailed={isFailed} />;
}

/** Why the photos that were shared just now are missing. */
function whyFailed(): string {
  return t('This device is full, or its storage isn’t responding. Free up space, then share the photos again.');
}

function WhatFor({ shared, isFailed }: { shared: SharedPhotos; isFailed: boolean }) {
  const navigate = useNavigate();
  const mayEdit = useMay('editor');
  const [begun, setBegun] = useState<Resource>();
  const begin = async (resource: Resource) => {
    setBegun(resource);
    try {
      if (await shared.putInto(resource)) await navigate(routesOf(resource).create, { replace: true });
    } finally {
      setBegun(undefined);
    }
  };
  return (
    <>
      <PageHeader
        title={t('Shared photos')}
        subtitle={t('{count, plural, one {# photo} other {# photos}}', { count: shared.photos.length })}
      />
      {isFailed && <FailureNotice message={t('The new photos were not kept.')}>{whyFailed()}</FailureNotice>}
      <Photos>
        {shared.photos.map(({ key, name, blob }) => (
          <SharedPhoto key={key} name={name} blob={blob} />
        ))}
      </Photos>
      {mayEdit ? (
        <Destinations begun={begun} onBegin={(resource) => void begin(resource)} />
      ) : (
        <p>{t('Your role is viewer. Ask an owner if you need to edit.')}</p>
      )}
      <Button color="error" sx={{ mt: 2 }} disabled={begun !== undefined} onClick={() => void shared.forget()}>
        {t('Discard')}
      </Button>
    </>
  );
}

interface DestinationsProps {
  /** The kind that has been chosen. Its form opens once the photos are read. */
  readonly begun: Resource | undefined;
  readonly onBegin: (resource: Resource) => void;
}

/** The records that the photos can go into. */
function Destinations({ begun, onBegin }: DestinationsProps) {
  return (
    <>
      <Question>{t('Add them to a record')}</Question>
      <IntoRecord />
      <Question>{t('Or start a new one')}</Question>
      <Kinds>
        {DEVICES_FIRST.map((resource) => {
          const Icon = RESOURCE_ICONS[resource.name];
          return (
            <li key={resource.name}>
              <KindButton
                variant="outlined"
                color="inherit"
                startIcon={<Icon />}
                loading={begun === resource}
                loadingPosition="start"
                disabled={begun !== undefined}
                onClick={() => onBegin(resource)}
              >
                {sayOf(msg('New {what}'), resource.label.one)}
              </KindButton>
            </li>
          );
        })}
      </Kinds>
    </>
  );
}

function SharedPhoto({ name, blob }: { name: string; blob: Blob }) {
  const address = useObjectUrl(blob);
  return (
    <li>
      <Photo src={address} alt={name} />
    </li>
  );
}

function NothingShared({ isFailed }: { isFailed: boolean }) {
  return (
    <>
      <PageHeader title={t('Shared photos')} />
      <EmptyState
        icon={<PhotosIcon />}
        action={
          <Button component={Link} to="/" variant="outlined">
            {t('Dashboard')}
          </Button>
        }
        title={isFailed ? t('The photos were not kept') : t('Nothing was shared')}
      >
        {isFailed
          ? whyFailed()
          : t(
              'In your photo app, choose Share, then Voltdesk. The photos start a new record or are added to an existing one.',
            )}
      </EmptyState>
    </>
  );
}
