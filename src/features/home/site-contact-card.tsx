import SiteIcon from '@mui/icons-material/PublicOutlined';
import { styled } from '@mui/material/styles';
import { useEffect, useState } from 'react';
import { followSiteContact } from '../../api/site-contact.ts';
import type { SiteContact } from '../../domain/protocol/content.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { formatMoment } from '../../ui/format.ts';
import { colour } from '../../ui/tokens.ts';
import { rich } from '../../language/rich.tsx';
import { locale, msg, t } from '../../language/t.ts';

/**
 * When the public site last read the content and was last told of a change. Renders nothing if the site does not read from this
 * server, and without an answer.
 */
export function SiteContactCard({ now }: { readonly now: number }) {
  const isRead = useServerAbilities(({ content }) => content);
  return isRead === true ? <Lines now={now} /> : null;
}

const READ = msg('Last read {time}.');
const TOLD = msg('Last told of a change {time}.');

function Lines({ now }: { readonly now: number }) {
  const [contact, setContact] = useState<SiteContact>();
  useEffect(() => followSiteContact(setContact), []);
  if (contact === undefined) return null;
  const { readAt, toldAt } = contact;
  return (
    <Part aria-labelledby="public-site">
      <SiteIcon aria-hidden="true" />
      <h2 id="public-site">{t('Public site')}</h2>
      <p>{readAt === undefined ? t('Not read yet.') : rich(READ, { time: <Moment at={readAt} now={now} /> })}</p>
      {toldAt !== undefined && <p>{rich(TOLD, { time: <Moment at={toldAt} now={now} /> })}</p>}
    </Part>
  );
}

function Moment({ at, now }: { readonly at: string; readonly now: number }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString(locale())}>
      {formatMoment(Date.parse(at), now)}
    </time>
  );
}

const Part = styled('section')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(0.5, 1.5),
  marginTop: theme.spacing(4),
  padding: theme.spacing(1.5, 1.75),
  border: `1px solid ${colour.line}`,
  borderRadius: 16,
  backgroundColor: colour.surface,
  '& svg': { color: colour.brand },
  '& h2': { margin: 0, fontSize: '1rem', fontWeight: 600 },
  '& p': { margin: 0, color: colour.quietText, fontSize: '0.875rem', fontVariantNumeric: 'tabular-nums' },
}));
