import GoodIcon from '@mui/icons-material/CheckOutlined';
import LockIcon from '@mui/icons-material/LockOutlined';
import UncheckedIcon from '@mui/icons-material/HorizontalRuleOutlined';
import BadIcon from '@mui/icons-material/PriorityHighOutlined';
import { useMay } from '../../stores/session.ts';
import { readHealth } from '../../api/health.ts';
import type { Finding } from '../../domain/protocol/health.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Surface } from '../../ui/surface.tsx';
import { colour } from '../../ui/tokens.ts';
import { Chip, Line, Lines, LoadState } from '../account/account-parts.tsx';
import { useServerData } from '../account/use-server-data.ts';
import { msg, say, t } from '../../language/t.ts';

/** Server health for owners, problems first. Linked from About. */
export default function HealthScreen() {
  const mayManage = useMay('owner');
  return mayManage ? <Health /> : <NotForYou />;
}

function Health() {
  const data = useServerData(readHealth);
  return (
    <>
      <PageHeader title={t('Health')} subtitle={t('Server, disk, backups and certificate')} />
      <LoadState data={data} />
      {data.value && (
        <Surface aria-label={t('Health')}>
          <Lines>
            {data.value.map((finding) => (
              <FindingLine key={`${finding.subject} ${finding.text}`} finding={finding} />
            ))}
          </Lines>
        </Surface>
      )}
    </>
  );
}

function FindingLine({ finding: { subject, state, text, isUnchecked } }: { finding: Finding }) {
  const title = (
    <>
      {say(subject)}
      {state !== 'good' && <Chip tone={TONES[state]}>{say(STATES[state])}</Chip>}
    </>
  );
  const Icon = isUnchecked ? UncheckedIcon : ICONS[state];
  const tone = isUnchecked ? colour.quietText : TONES[state];
  return <Line mark={<Icon />} tone={tone} title={title} note={say(text)} />;
}

const ICONS = { good: GoodIcon, warning: BadIcon, bad: BadIcon } as const;

const TONES = {
  good: colour.good,
  warning: colour.caution,
  bad: colour.bad,
} as const satisfies Readonly<Record<Finding['state'], string>>;

const STATES = { warning: msg('Needs attention soon'), bad: msg('Needs attention now') } as const;

function NotForYou() {
  return (
    <>
      <PageHeader title={t('Health')} />
      <EmptyState icon={<LockIcon />} title={t('Only owners can see server health')}>
        {t('Ask an owner to check if something seems wrong.')}
      </EmptyState>
    </>
  );
}
