import HistoryIcon from '@mui/icons-material/History';
import Button from '@mui/material/Button';
import { formatMoment } from '../../ui/format.ts';

/** Tells that an unfinished form was brought back, and offers to give it up. */
export function RestoredBar({ at, onDiscard }: { at: number; onDiscard: () => void }) {
  return (
    <output className="form-bar">
      <HistoryIcon aria-hidden />
      <span>
        <strong>Restored</strong> what was typed here and not saved ({keptAt(at)}).
      </span>
      <Button color="inherit" onClick={onDiscard}>
        Discard
      </Button>
    </output>
  );
}

function keptAt(at: number): string {
  return formatMoment(at, Date.now());
}
