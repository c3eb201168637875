import ShieldIcon from '@mui/icons-material/GppMaybeOutlined';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { askPersistence, readPersistence } from '../../api/self-check.ts';
import { HintCard } from './hint-card.tsx';
import { t } from '../../language/t.ts';

type Answer = 'unasked' | 'refused' | 'fine';

/** Warns while changes wait and the browser has not granted persistent storage, and lets the administrator request it. */
export function KeepHint({ waiting }: { readonly waiting: number }) {
  const [answer, setAnswer] = useState<Answer>('fine');
  useEffect(() => {
    if (waiting === 0) return;
    readPersistence().then(
      (persistence) => setAnswer(persistence === 'refused' ? 'unasked' : 'fine'),
      (failure: unknown) => console.warn('Cannot read whether the browser keeps its storage.', failure),
    );
  }, [waiting]);
  if (waiting === 0 || answer === 'fine') return null;
  const ask = async () => setAnswer((await askPersistence()) === 'refused' ? 'refused' : 'fine');
  return (
    <HintCard>
      <ShieldIcon aria-hidden="true" />
      <div>
        <strong>{t('This browser may delete what is saved here')}</strong>
        <p>
          {answer === 'unasked'
            ? t(
                'If the device runs low on storage, waiting changes could be lost. You can ask the browser to keep them.',
              )
            : t('The browser declined. Send your changes soon, or install Voltdesk: installed apps keep their data.')}
        </p>
      </div>
      {answer === 'unasked' && (
        <Button variant="contained" onClick={() => void ask()}>
          {t('Keep my changes')}
        </Button>
      )}
    </HintCard>
  );
}
