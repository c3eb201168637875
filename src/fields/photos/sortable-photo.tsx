import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import BackIcon from '@mui/icons-material/ChevronLeft';
import ForthIcon from '@mui/icons-material/ChevronRight';
import HandleIcon from '@mui/icons-material/DragIndicator';
import { formatSize } from '../../ui/format.ts';
import { MOTION } from '../../ui/tokens.ts';
import type { FormFile } from '../form-file.ts';
import { PhotoTile } from './photo-tile.tsx';
import { useObjectUrl } from './use-object-url.ts';
import { t } from '../../language/t.ts';

interface SortablePhotoProps {
  readonly file: FormFile;
  readonly index: number;
  readonly count: number;
  readonly cover: boolean;
  readonly error: string | undefined;
  readonly onOpen: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  readonly onMove: (to: number) => void;
}

/**
 * A picked photo that can be reordered. Pointers drag the whole tile; the keyboard uses the handle and buttons. At the first and
 * last place a button is only `aria-disabled`: `disabled` would lose the focus.
 */
export function SortablePhoto(props: SortablePhotoProps) {
  const { file, index, count } = props;
  const src = useObjectUrl(file.blob);
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id: file.key,
    disabled: count < 2,
    transition: { duration: MOTION, easing: 'ease' },
  });
  const { onKeyDown, ...pointers } = listeners ?? {};
  const style = { transform: CSS.Translate.toString(transform), transition };
  return (
    <li ref={setNodeRef} style={style} data-lifted={isDragging} {...pointers}>
      <PhotoTile
        src={src}
        name={file.name}
        caption={sizeWords(file)}
        error={props.error}
        cover={props.cover}
        onOpen={props.onOpen}
        onRemove={props.onRemove}
        onEdit={file.type === 'image/gif' ? undefined : props.onEdit}
      >
        {count > 1 && (
          <span className="tile-moves">
            <button
              type="button"
              aria-label={t('Move {name} earlier', { name: file.name })}
              aria-disabled={index === 0}
              onClick={() => index > 0 && props.onMove(index - 1)}
            >
              <BackIcon aria-hidden />
            </button>
            <button
              type="button"
              ref={setActivatorNodeRef}
              {...attributes}
              onKeyDown={(event) => onKeyDown?.(event)}
              aria-label={t('Position of {name}: {number} of {count}', { name: file.name, number: index + 1, count })}
            >
              <HandleIcon aria-hidden />
            </button>
            <button
              type="button"
              aria-label={t('Move {name} later', { name: file.name })}
              aria-disabled={index === count - 1}
              onClick={() => index < count - 1 && props.onMove(index + 1)}
            >
              <ForthIcon aria-hidden />
            </button>
          </span>
        )}
      </PhotoTile>
    </li>
  );
}

function sizeWords(file: FormFile): string {
  if (file.originalSize === undefined) return formatSize(file.blob.size);
  return `${formatSize(file.originalSize)} → ${formatSize(file.blob.size)}`;
}
