import Button from '@mui/material/Button';

import type { Copying } from './use-copied-files.ts';
import { t } from '../../language/t.ts';

/** The progress of copying a duplicate's files, and the choices if some cannot be copied. */
export function CopiedFilesNotice({ state, total, copied, again, stop }: Copying) {
  if (state === 'done') return null;
  if (state === 'copying') {
    return (
      <output className="form-bar">
        <span>{t('Copying the files too: {number} of {count}…', { number: copied + 1, count: total })}</span>
        <Button color="inherit" onClick={stop}>
          {t('Continue without them')}
        </Button>
      </output>
    );
  }
  return (
    <output className="form-bar">
      <span>
        <strong>
          {t('{count, plural, one {# file} other {# files}} could not be copied.', { count: total - copied })}
        </strong>{' '}
        {t('They’re on the server, which can’t be reached now. Choose files yourself, or try again with a connection.')}
      </span>
      <Button color="inherit" variant="outlined" onClick={again}>
        {t('Try again')}
      </Button>
    </output>
  );
}
