import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useState } from 'react';
import { askPersistence, type Fact, selfCheck } from '../../api/self-check.ts';
import { notify } from '../../stores/notifications.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Surface } from '../../ui/surface.tsx';
import { colour } from '../../ui/tokens.ts';
import { t } from '../../language/t.ts';

/**
 * The facts that decide whether this device keeps and sends what is saved, for trying a real tablet (docs/real-device.md) and for
 * support. Linked from About.
 */
export default function SelfCheckScreen() {
  const { facts, look } = useSelfCheck();
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
            <Button variant="outlined" color="inherit" onClick={() => void askPersistence().then(look)}>
              {t('Ask to keep my changes')}
            </Button>
            <Button variant="contained" onClick={copy}>
              {t('Copy')}
            </Button>
          </>
        }
      />
      <Surface>
        <Facts>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </Facts>
      </Surface>
    </>
  );
}

function useSelfCheck(): { facts: readonly Fact[]; look: () => void } {
  const [facts, setFacts] = useState<readonly Fact[]>([]);
  const look = () => void selfCheck().then(setFacts);
  useEffect(look, []);
  return { facts, look };
}

const Facts = styled('dl')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  margin: 0,
  '& > div': { display: 'grid', gridTemplateColumns: 'minmax(0, 260px) minmax(0, 1fr)', gap: theme.spacing(0.5, 2) },
  '& dt': { color: colour.quietText },
  '& dd': { margin: 0, overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' },
  [theme.breakpoints.down('sm')]: { '& > div': { gridTemplateColumns: '1fr' } },
}));
