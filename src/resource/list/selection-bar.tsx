import CloseIcon from '@mui/icons-material/Close';
import { Button, IconButton } from '../../ui/button.tsx';
import { t } from '../../language/t.ts';

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
      <IconButton type="button" aria-label={t('Clear')} onClick={onClear}>
        <CloseIcon aria-hidden fontSize="small" />
      </IconButton>
      <strong>{t('{count} selected', { count })}</strong>
      <Button onClick={onEdit}>{t('Edit {count}', { count })}</Button>
      {onDuplicate !== undefined && (
        <Button color="inherit" onClick={onDuplicate}>
          {t('Duplicate')}
        </Button>
      )}
      <Button color="inherit" onClick={onLabels}>
        {t('Labels')}
      </Button>
      <Button color="error" aria-label={t('Delete selected')} onClick={onDelete}>
        {t('Delete')}
      </Button>
    </output>
  );
}
