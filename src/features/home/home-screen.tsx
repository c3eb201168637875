import { styled } from '@mui/material/styles';
import { Navigate, useLocation } from 'react-router-dom';
import { useQueueState } from '../../api/live.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Activity } from './activity-card.tsx';
import { InstallHint } from './install-hint.tsx';
import { optional } from '../../ui/late.tsx';
import { LossNotice } from '../outbox/loss-notice.tsx';
import { useNow } from '../outbox/use-now.ts';
import { KeepHint } from './keep-hint.tsx';
import { KindTile } from './kind-tile.tsx';
import { OwnerNotices, RestoreHint, useNotices } from './owner-notices.tsx';
import { QueueCard } from './queue-card.tsx';
import { QuickActions } from './quick-actions.tsx';
import { RecentWork } from './recent-card.tsx';
import { SiteContactCard } from './site-contact-card.tsx';
import { t } from '../../language/t.ts';

const ForgottenNotice = optional<{ now: number }>(() => import('../outbox/forgotten-notice.tsx'));

/** The dashboard: the queue, common tasks, recent work, the public site, and each kind of record with its count and age. */
export default function HomeScreen() {
  const { key } = useLocation();
  const landing = usePreferences((preferences) => preferences.landing);
  // The location where the app was opened, also on a return to it. Whoever follows a link here stays.
  if (key === 'default' && landing !== '/') return <Navigate to={landing} replace />;
  return <Home />;
}

function Home() {
  const queue = useQueueState();
  const now = useNow(60_000);
  const notices = useNotices();
  return (
    <>
      <PageHeader title={t('Dashboard')} />
      <LossNotice queue={queue} />
      {(queue?.forgotten ?? 0) > 0 && <ForgottenNotice now={now} />}
      <QueueCard queue={queue} />
      <OwnerNotices page={notices} now={now} />
      <QuickActions />
      <KeepHint waiting={queue?.waiting ?? 0} />
      <InstallHint />
      <RecentWork now={now} />
      <Activity now={now} />
      <SiteContactCard now={now} />
      <RestoreHint page={notices} />
      <Heading>{t('On this device')}</Heading>
      <Tiles>
        {RESOURCES.map((resource) => (
          <KindTile key={resource.name} resource={resource} />
        ))}
      </Tiles>
    </>
  );
}

const Heading = styled('h2')(({ theme }) => ({ ...theme.typography.h2, margin: theme.spacing(4, 0, 2) }));

const Tiles = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 330px), 1fr))',
  gap: theme.spacing(1.5),
  margin: 0,
  padding: 0,
  listStyle: 'none',
}));
