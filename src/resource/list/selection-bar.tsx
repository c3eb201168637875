import CloseIcon from '@mui/icons-material/Close';
import CopyIcon from '@mui/icons-material/ContentCopy';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import AllIcon from '@mui/icons-material/DoneAll';
import LabelIcon from '@mui/icons-material/LabelOutlined';
import { Button, IconButton } from '../../ui/button.tsx';
import { t } from '../../language/t.ts';

interface SelectionBarProps {
  readonly count: number;
  /** Selects all rows shown, where no heading has a box for it. */
  readonly onAll?: (() => void) | undefined;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onLabels: () => void;
  readonly onDuplicate: (() => void) | undefined;
  readonly onClear: () => void;
}

/**
 * The actions for selected rows. The bar is below the list, so that it moves nothing. On a phone, the buttons show icons and
 * keep their words as accessible names.
 */
export function SelectionBar({ count, onAll, onEdit, onDelete, onLabels, onDuplicate, onClear }: SelectionBarProps) {
  return (
    <output className="selection-bar">
      <IconButton type="button" aria-label={t('Clear')} onClick={onClear}>
        <CloseIcon aria-hidden fontSize="small" />
      </IconButton>
      <strong>{t('{count} selected', { count })}</strong>
      <Button onClick={onEdit}>{t('Edit {count}', { count })}</Button>
      {onAll !== undefined && (
        <Button color="inherit" title={t('Select all')} onClick={onAll}>
          <AllIcon aria-hidden />
          <span>{t('Select all')}</span>
        </Button>
      )}
      {onDuplicate !== undefined && (
        <Button color="inherit" title={t('Duplicate')} onClick={onDuplicate}>
          <CopyIcon aria-hidden />
          <span>{t('Duplicate')}</span>
        </Button>
      )}
      <Button color="inherit" title={t('Labels')} onClick={onLabels}>
        <LabelIcon aria-hidden />
        <span>{t('Labels')}</span>
      </Button>
      <Button color="error" title={t('Delete')} aria-label={t('Delete selected')} onClick={onDelete}>
        <DeleteIcon aria-hidden />
        <span>{t('Delete')}</span>
      </Button>
    </output>
  );
}
