import Button from '@mui/material/Button';
import { formatCount } from '../../ui/format.ts';
import type { Copying } from './use-copied-files.ts';

/** Tells how far the files of the duplicated record are, and which choice there is when they cannot be had. */
export function CopiedFilesNotice({ state, total, copied, again, stop }: Copying) {
  if (state === 'done') return null;
  if (state === 'copying') {
    return (
      <output className="form-bar">
        <span>
          Copying the files too: {copied + 1} of {total}…
        </span>
        <Button color="inherit" onClick={stop}>
          Go on without
        </Button>
      </output>
    );
  }
  return (
    <output className="form-bar">
      <span>
        <strong>{formatCount(total - copied, 'file')} could not be copied.</strong> They are with the server, which
        cannot be reached now. Choose files yourself, or try again with a connection.
      </span>
      <Button color="inherit" variant="outlined" onClick={again}>
        Try again
      </Button>
    </output>
  );
}
