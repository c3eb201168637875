import RestoreIcon from '@mui/icons-material/RestoreOutlined';
import WarningIcon from '@mui/icons-material/WarningAmberOutlined';
import { styled } from '@mui/material/styles';
import { useEffect, useState } from 'react';
import { followNotices } from '../../api/notices.ts';
import type { Notice, NoticesPage } from '../../domain/protocol/notices.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useMay } from '../../stores/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { formatAgo } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { colour, tint } from '../../ui/tokens.ts';
import { HintCard } from './hint-card.tsx';
import { say, t } from '../../language/t.ts';

/** What owners have to see to, as the server last told. Undefined for others, and without an answer. */
export function useNotices(): NoticesPage | undefined {
  const own = useServerAbilities(({ people }) => people);
  const isOwner = useMay('owner') && own;
  const [page, setPage] = useState<NoticesPage>();
  useEffect(() => (isOwner ? followNotices(setPage) : undefined), [isOwner]);
  return isOwner ? page : undefined;
}

/** What is wrong with the server, its backups, its webhooks and the devices, each with the screen that says more. */
export function OwnerNotices({ page, now }: { readonly page: NoticesPage | undefined; readonly now: number }) {
  if (page === undefined || page.notices.length === 0) return null;
  return (
    <Part aria-labelledby="owner-notices">
      <h2 id="owner-notices">
        <WarningIcon aria-hidden="true" />
        {t('To see to')}
      </h2>
      <ul>
        {page.notices.map((notice) => (
          <li key={notice.cause}>
            <Link to={screenFor(notice)}>{say(notice.text)}</Link>{' '}
            <span>{t('since {time}', { time: formatAgo(Date.parse(notice.since), now) })}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** An installation without any record may be a new home for an old one. */
export function RestoreHint({ page }: { readonly page: NoticesPage | undefined }) {
  if (page?.isEmpty !== true) return null;
  return (
    <HintCard>
      <RestoreIcon aria-hidden="true" />
      <div>
        <strong>{t('Nothing here yet')}</strong>
        <p>{t('If this installation replaces another one, bring its records back first.')}</p>
      </div>
      <ButtonLink variant="outlined" color="inherit" to="/backups">
        {t('Restore from a backup')}
      </ButtonLink>
    </HintCard>
  );
}

/** The screen that shows more about a cause. */
function screenFor({ cause }: Notice): string {
  if (cause.startsWith('backup')) return '/backups';
  if (cause.startsWith('webhook:')) return '/public-site';
  return cause.startsWith('device:') ? '/sessions' : '/health';
}

const Part = styled('section')(({ theme }) => ({
  marginTop: theme.spacing(2),
  padding: theme.spacing(2, 2.5),
  border: `1px solid ${tint(colour.caution, 45, colour.line)}`,
  borderRadius: 16,
  backgroundColor: tint(colour.caution, 6, colour.surface),
  '& h2': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    margin: 0,
    fontSize: '1rem',
    fontWeight: 600,
  },
  '& svg': { color: colour.caution },
  '& ul': { margin: theme.spacing(1, 0, 0), padding: 0, listStyle: 'none' },
  '& li': { padding: theme.spacing(0.75, 0), overflowWrap: 'anywhere' },
  '& li span': { color: colour.quietText, fontSize: '0.875rem' },
}));
