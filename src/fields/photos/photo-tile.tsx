import CloseIcon from '@mui/icons-material/Close';
import EditIcon from '@mui/icons-material/Tune';
import type { ReactNode } from 'react';
import { Picture } from '../../ui/picture.tsx';
import { missingWords } from '../missing-words.ts';
import { say, t } from '../../language/t.ts';

interface PhotoTileProps {
  readonly src: string | undefined;
  readonly name: string;
  /** Shows the name to screen readers only. */
  readonly nameless?: boolean;
  /** A short text below the picture: its size, or that it is pending. */
  readonly caption: ReactNode;
  readonly error?: string | undefined;
  readonly faded?: boolean;
  /** Whether it represents the record in lists. */
  readonly cover?: boolean;
  readonly onOpen: () => void;
  readonly onRemove?: (() => void) | undefined;
  /** Opens the photo editor. */
  readonly onEdit?: (() => void) | undefined;
  readonly children?: ReactNode;
}

/** One picture in a grid. A press enlarges it, the X removes it. */
export function PhotoTile(props: PhotoTileProps) {
  return (
    <div className="tile" data-invalid={props.error !== undefined} data-faded={props.faded ?? false}>
      <div className="tile-frame">
        <button
          type="button"
          className="tile-picture"
          onClick={props.onOpen}
          aria-label={t('Enlarge {name}', { name: props.name })}
        >
          {props.src !== undefined && <Picture src={props.src} draggable={false} missing={missingWords()} />}
        </button>
        {props.onEdit !== undefined && (
          <button
            type="button"
            className="tile-edit"
            onClick={props.onEdit}
            aria-label={t('Edit photo {name}', { name: props.name })}
          >
            <EditIcon aria-hidden fontSize="small" />
          </button>
        )}
      </div>
      {props.cover === true && <span className="tile-cover">{t('Cover')}</span>}
      {props.onRemove !== undefined && (
        <button
          type="button"
          className="tile-remove"
          onClick={props.onRemove}
          aria-label={t('Remove {name}', { name: props.name })}
        >
          <CloseIcon aria-hidden fontSize="small" />
        </button>
      )}
      <div className="tile-foot">
        {props.nameless !== true && (
          <span className="tile-name" title={props.name}>
            {props.name}
          </span>
        )}
        {props.caption !== '' && <span className="tile-caption">{props.caption}</span>}
        {props.error !== undefined && <span className="field-error">{say(props.error)}</span>}
        {props.children}
      </div>
    </div>
  );
}
