import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import UndoIcon from '@mui/icons-material/Undo';
import { useState } from 'react';
import type { PresentFile, StoredActions } from '../attachment-input.ts';
import { Lightbox } from './lightbox.tsx';
import { PhotoTile } from './photo-tile.tsx';
import { msg, say, t } from '../../language/t.ts';

interface StoredPhotosProps {
  readonly heading: string;
  readonly files: readonly PresentFile[];
  readonly actions?: StoredActions | undefined;
  /** Whether the first photo that is not being deleted is the cover. */
  readonly cover?: boolean;
}

const STATE_WORDS = { waiting: msg('Waiting to be sent'), leaving: msg('Will be deleted when sent') } as const;

/** The stored photos of a record, each with Delete, or with Undo while its deletion is pending. */
export function StoredPhotos({ heading, files, actions, cover = false }: StoredPhotosProps) {
  const [open, setOpen] = useState<string>();
  if (files.length === 0) return null;
  const first = cover ? files.find(({ state }) => state !== 'leaving') : undefined;
  // The server generates file names. A number is more helpful.
  const pictures = files.map((file, index) => ({ ...file, name: t('Photo {number}', { number: index + 1 }) }));
  return (
    <section className="stored-photos">
      <h2>{heading}</h2>
      <ul className="tiles">
        {files.map((file, index) => (
          <li key={file.key}>
            <PhotoTile
              src={file.thumbnail}
              name={t('Photo {number}', { number: index + 1 })}
              nameless={actions === undefined}
              caption={file.state === undefined ? '' : say(STATE_WORDS[file.state])}
              cover={file === first}
              faded={file.state === 'leaving'}
              onOpen={() => setOpen(file.key)}
            >
              {actions !== undefined && <TileAction file={file} index={index} {...actions} />}
            </PhotoTile>
          </li>
        ))}
      </ul>
      <Lightbox pictures={pictures} open={open} onOpen={setOpen} />
    </section>
  );
}

function TileAction({ file, index, onDelete, onUndo }: StoredActions & { file: PresentFile; index: number }) {
  if (file.state === 'leaving') {
    return (
      <button
        type="button"
        className="tile-undo"
        onClick={() => void onUndo(file.key)}
        aria-label={t('Undo: keep photo {number}', { number: index + 1 })}
      >
        <UndoIcon aria-hidden fontSize="small" />
        {t('Undo')}
      </button>
    );
  }
  return (
    <button
      type="button"
      className="tile-delete"
      onClick={() => void onDelete(file.key)}
      aria-label={t('Delete photo {number}', { number: index + 1 })}
    >
      <DeleteIcon aria-hidden fontSize="small" />
      {t('Delete')}
    </button>
  );
}
