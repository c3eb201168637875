import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useState } from 'react';
import { applyUpdate } from '../api/worker-bridge.ts';
import { type UpdateState, useAppUpdate } from '../stores/app-update.ts';
import { useHasUnsavedWork } from '../stores/unsaved.ts';
import { colour } from '../ui/tokens.ts';
import { useIdleUpdate } from './use-idle-update.ts';
import { t } from '../language/t.ts';

/**
 * Announces a new version. Applies it on request, or automatically once the page is idle, but never while a form has unsaved
 * input. The prompt never covers a form's sticky bar.
 */
export default function UpdatePrompt() {
  const { state } = useAppUpdate();
  const unsaved = useHasUnsavedWork();
  const [putOff, setPutOff] = useState<UpdateState>('none');
  useIdleUpdate((state === 'waiting' || state === 'taken') && !unsaved, state === 'waiting' ? applyUpdate : reload);
  if (state === 'none' || state === putOff) return null;
  if (state === 'taking') return <Taking />;
  const update = state === 'waiting' ? applyUpdate : reload;
  return (
    <Card aria-label={t('New version')}>
      <output>
        <strong>{t('A new version is ready')}</strong>
        <span>
          {unsaved
            ? t('Save your work first, then update.')
            : t('It takes a second. Everything you saved stays as it is.')}
        </span>
      </output>
      <Button variant="contained" size="small" disabled={unsaved} onClick={update}>
        {t('Update')}
      </Button>
      <Button color="inherit" size="small" onClick={() => setPutOff(state)}>
        {t('Later')}
      </Button>
    </Card>
  );
}

function reload(): void {
  window.location.reload();
}

function Taking() {
  return (
    <Card aria-label={t('New version')}>
      <output>
        <strong>{t('Updating…')}</strong>
        <span>{t('The change being sent is finished first.')}</span>
      </output>
    </Card>
  );
}

const Card = styled('section')(({ theme }) => ({
  position: 'fixed',
  zIndex: 1200,
  insetInlineEnd: 16,
  bottom: 16,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
  width: 'min(440px, calc(100vw - 32px))',
  padding: theme.spacing(1.75, 2),
  border: `1px solid ${colour.line}`,
  borderRadius: 16,
  backgroundColor: colour.surface,
  // Stays clear of the Save bar, the selection bar and a list's floating button.
  'body:has(.save-bar, .selection-bar, .conflict-foot) &': { bottom: 'calc(92px + env(safe-area-inset-bottom))' },
  'body:has(.list-create) &': {
    [theme.breakpoints.down('md')]: { bottom: 'calc(92px + env(safe-area-inset-bottom))' },
  },
  boxShadow: '0 16px 40px rgb(4 22 27 / 0.22)',
  '& > output': { flex: '1 1 180px' },
  '& span': { display: 'block', color: colour.quietText, fontSize: '0.875rem' },
}));
