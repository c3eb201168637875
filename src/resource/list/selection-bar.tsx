import CloseIcon from '@mui/icons-material/Close';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatNumber } from '../../ui/format.ts';

interface SelectionBarProps {
  readonly count: number;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onLabels: () => void;
  readonly onDuplicate: (() => void) | undefined;
  readonly onClear: () => void;
}

/** What can be done with the selected rows. It stands below the list, so that it pushes nothing away. */
export function SelectionBar({ count, onEdit, onDelete, onLabels, onDuplicate, onClear }: SelectionBarProps) {
  return (
    <output className="selection-bar">
      <IconButton type="button" aria-label="Clear" onClick={onClear}>
        <CloseIcon aria-hidden fontSize="small" />
      </IconButton>
      <strong>{formatNumber(count)} selected</strong>
      <Button onClick={onEdit}>Edit {formatNumber(count)}</Button>
      {onDuplicate !== undefined && (
        <Button color="inherit" onClick={onDuplicate}>
          Duplicate
        </Button>
      )}
      <Button color="inherit" onClick={onLabels}>
        Labels
      </Button>
      <Button color="error" aria-label="Delete selected" onClick={onDelete}>
        Delete
      </Button>
    </output>
  );
}
