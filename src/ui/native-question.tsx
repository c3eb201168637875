import { useEffect } from 'react';
import type { AskedQuestion } from './confirm.tsx';
import { t } from '../language/t.ts';

/**
 * A question in native `confirm` dialogs, for when the app's dialog fails to load: on a first visit the server may become
 * unreachable before the whole app is precached. Offers each choice that does something in turn. Declining all chooses none.
 */
export function NativeQuestion({ question }: { question: AskedQuestion }) {
  useEffect(() => {
    const { title, text, choices, answer } = question;
    const offered = choices.filter(({ look }) => look !== 'plain');
    const taken = offered.find(({ label }) =>
      window.confirm([title, text, t('OK: {label}', { label: label })].filter(Boolean).join('\n\n')),
    );
    answer(taken?.key);
  }, [question]);
  return null;
}
