import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { rectSortingStrategy, SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import { useState } from 'react';
import { optional } from '../../ui/late.tsx';
import { announcePlaces } from './announce.ts';
import type { FormFile } from '../form-file.ts';
import { Lightbox } from './lightbox.tsx';
import { SortablePhoto } from './sortable-photo.tsx';
import { t } from '../../language/t.ts';

// Loaded when a photo is edited for the first time.
const PhotoEditor = optional(() => import('./editor/photo-editor.tsx'));

interface PhotoGridProps {
  readonly files: readonly FormFile[];
  readonly errors: readonly (string | undefined)[];
  readonly onRemove: (key: string) => void;
  readonly onMove: (key: string, to: number) => void;
  /** Replaces a photo with its edited version. */
  readonly onReplace: (key: string, edited: FormFile) => void;
  /** Whether the first photo is the cover. */
  readonly cover?: boolean;
}

/** The picked photos of a form, in upload order. Reordered by dragging, keyboard or buttons. */
export function PhotoGrid({ files, errors, onRemove, onMove, onReplace, cover = false }: PhotoGridProps) {
  const [open, setOpen] = useState<string>();
  const [editing, setEditing] = useState<FormFile>();
  const stopEditing = () => setEditing(undefined);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A short hold starts a drag, so that a finger can still scroll the grid.
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const drop = ({ active, over }: DragEndEvent) => {
    const to = files.findIndex((file) => file.key === over?.id);
    if (to !== -1 && active.id !== over?.id) onMove(String(active.id), to);
  };
  if (files.length === 0) return null;
  return (
    <>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={announcePlaces(files)}
        onDragEnd={drop}
      >
        <SortableContext items={files.map((file) => file.key)} strategy={rectSortingStrategy}>
          <ul className="tiles" aria-label={t('New photos')}>
            {files.map((file, index) => (
              <SortablePhoto
                key={file.key}
                file={file}
                index={index}
                count={files.length}
                cover={cover && index === 0}
                error={errors[index]}
                onEdit={() => setEditing(file)}
                onOpen={() => setOpen(file.key)}
                onRemove={() => onRemove(file.key)}
                onMove={(to) => onMove(file.key, to)}
              />
            ))}
          </ul>
        </SortableContext>
      </DndContext>
      {editing !== undefined && (
        <PhotoEditor
          file={editing}
          onClose={stopEditing}
          onDone={(edited) => {
            onReplace(editing.key, edited);
            stopEditing();
          }}
          onMissing={stopEditing}
        />
      )}
      <Lightbox pictures={files} open={open} onOpen={setOpen} />
    </>
  );
}
