import BadIcon from '@mui/icons-material/PriorityHighOutlined';
import GoodIcon from '@mui/icons-material/CheckOutlined';
import UnknownIcon from '@mui/icons-material/HorizontalRuleOutlined';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useState } from 'react';
import { askPersistence, type Fact, selfCheck } from '../../api/self-check.ts';
import { notify } from '../../stores/notifications.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Surface } from '../../ui/surface.tsx';
import { colour, tint } from '../../ui/tokens.ts';
import { Line, Lines } from '../account/account-parts.tsx';
import { readDevice } from './read-device.ts';
import { type Readiness, type Reason, readinessOf, type Remedy } from './readiness.ts';
import { t } from '../../language/t.ts';

/**
 * Whether this device is safe for a week without a connection, why, and a button that mends what can be mended. The facts below
 * are for trying a real tablet (docs/real-device.md) and for support. Linked from About.
 */
export default function SelfCheckScreen() {
  const { facts, readiness, look, mend } = useSelfCheck();
  const copy = () => {
    const text = facts.map(({ name, value }) => `${name}: ${value}`).join('\n');
    navigator.clipboard.writeText(text).then(
      () => notify(t('Copied'), { kind: 'done' }),
      () => notify(t('This browser blocks copying. Take a screenshot.'), { kind: 'error' }),
    );
  };
  return (
    <>
      <PageHeader
        title={t('Check this device')}
        subtitle={t('What determines whether this device can store and send your changes')}
        actions={
          <>
            <Button variant="outlined" color="inherit" onClick={look}>
              {t('Check again')}
            </Button>
            <Button variant="outlined" color="inherit" onClick={copy}>
              {t('Copy')}
            </Button>
          </>
        }
      />
      {readiness && <Verdict readiness={readiness} onMend={mend} />}
      <Details>
        <summary>{t('Details for support')}</summary>
        <Facts>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </Facts>
      </Details>
    </>
  );
}

function Verdict({ readiness, onMend }: { readiness: Readiness; onMend: (remedy: Remedy) => void }) {
  const { state, verdict, reasons, remedy } = readiness;
  return (
    <Sheet aria-label={verdict} style={{ '--tone': TONES[state] } as React.CSSProperties}>
      <Head>
        <h2>{verdict}</h2>
        {remedy && (
          <Button variant="contained" onClick={() => onMend(remedy)}>
            {remedy === 'ask' ? t('Ask to keep my changes') : t('Reload')}
          </Button>
        )}
      </Head>
      <Lines>
        {reasons.map((reason) => {
          const Icon = ICONS[reason.state];
          return (
            <Line
              key={reason.subject}
              mark={<Icon />}
              tone={TONES[reason.state]}
              title={reason.subject}
              note={reason.text}
            />
          );
        })}
      </Lines>
    </Sheet>
  );
}

const ICONS = { good: GoodIcon, bad: BadIcon, unknown: UnknownIcon } as const;

const TONES = {
  good: colour.good,
  bad: colour.caution,
  unknown: colour.quietText,
} as const satisfies Readonly<Record<Reason['state'], string>>;

function useSelfCheck() {
  const [facts, setFacts] = useState<readonly Fact[]>([]);
  const [readiness, setReadiness] = useState<Readiness>();
  const check = (asked: boolean) => {
    void selfCheck().then(setFacts);
    void readDevice().then((device) => setReadiness(readinessOf({ ...device, asked })));
  };
  const look = () => check(false);
  useEffect(look, []);
  const mend = (remedy: Remedy) => {
    if (remedy === 'reload') location.reload();
    else void askPersistence().then(() => check(true));
  };
  return { facts, readiness, look, mend };
}

const Sheet = styled(Surface)({
  borderColor: tint('var(--tone)', 35, colour.line),
  backgroundColor: tint('var(--tone)', 5, colour.surface),
});

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(1.5, 2),
  marginBottom: theme.spacing(2),
  '& h2': { ...theme.typography.h3, margin: 0 },
}));

const Details = styled('details')(({ theme }) => ({
  marginTop: theme.spacing(3),
  '& > summary': { display: 'list-item', minHeight: 44, lineHeight: '44px', fontWeight: 600, cursor: 'pointer' },
}));

const Facts = styled('dl')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  margin: 0,
  '& > div': { display: 'grid', gridTemplateColumns: 'minmax(0, 260px) minmax(0, 1fr)', gap: theme.spacing(0.5, 2) },
  '& dt': { color: colour.quietText },
  '& dd': { margin: 0, overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' },
  [theme.breakpoints.down('sm')]: { '& > div': { gridTemplateColumns: '1fr' } },
}));
