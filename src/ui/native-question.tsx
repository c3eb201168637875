import { useEffect } from 'react';
import type { AskedQuestion } from './confirm.tsx';
import { t } from '../language/t.ts';

/**
 * A question in the browser's own words, for a page that cannot have its dialog: on a first visit, before the device has the
 * whole app, the server may be gone. Each way out that does something is offered in turn; the last "no" takes none of them.
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
