import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { useState } from 'react';
import type { PresentFile } from '../attachment-input.ts';
import { Lightbox } from './lightbox.tsx';
import { PhotoTile } from './photo-tile.tsx';

interface StoredPhotosProps {
  readonly heading: string;
  readonly files: readonly PresentFile[];
  readonly onDelete?: ((key: string) => void) | undefined;
}

const STATE_WORDS = { waiting: 'Waits to be sent', leaving: 'Deletion waits to be sent' } as const;

/** The photos a record already has, each with its Delete. */
export function StoredPhotos({ heading, files, onDelete }: StoredPhotosProps) {
  const [open, setOpen] = useState<string>();
  if (files.length === 0) return null;
  // The server's names are made up; a number says more.
  const pictures = files.map((file, index) => ({ ...file, name: `Photo ${index + 1}` }));
  return (
    <section className="stored-photos">
      <h2>{heading}</h2>
      <ul className="tiles">
        {files.map((file, index) => (
          <li key={file.key}>
            <PhotoTile
              src={file.thumbnail}
              name={`Photo ${index + 1}`}
              nameless={onDelete === undefined}
              caption={file.state === undefined ? '' : STATE_WORDS[file.state]}
              faded={file.state === 'leaving'}
              onOpen={() => setOpen(file.key)}
            >
              {onDelete !== undefined && file.state !== 'leaving' && (
                <button
                  type="button"
                  className="tile-delete"
                  onClick={() => onDelete(file.key)}
                  aria-label={`Delete photo ${index + 1}`}
                >
                  <DeleteIcon aria-hidden fontSize="small" />
                  Delete
                </button>
              )}
            </PhotoTile>
          </li>
        ))}
      </ul>
      <Lightbox pictures={pictures} open={open} onOpen={setOpen} />
    </section>
  );
}
