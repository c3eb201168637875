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
import { lazy, Suspense, useState } from 'react';
import { announcePlaces } from './announce.ts';
import type { FormFile } from '../form-file.ts';
import { Lightbox } from './lightbox.tsx';
import { SortablePhoto } from './sortable-photo.tsx';
import { t } from '../../language/t.ts';

// Loaded when a photo is first edited.
const PhotoEditor = lazy(() => import('./editor/photo-editor.tsx'));

interface PhotoGridProps {
  readonly files: readonly FormFile[];
  readonly errors: readonly (string | undefined)[];
  readonly onRemove: (key: string) => void;
  readonly onMove: (key: string, to: number) => void;
  /** Puts an edited photo in the place of one. */
  readonly onReplace: (key: string, edited: FormFile) => void;
  /** The first of them stands for the record. */
  readonly cover?: boolean;
}

/** The photos picked into a form, in the order in which they will be sent: by drag, by keyboard or by buttons. */
export function PhotoGrid({ files, errors, onRemove, onMove, onReplace, cover = false }: PhotoGridProps) {
  const [open, setOpen] = useState<string>();
  const [editing, setEditing] = useState<FormFile>();
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A short hold lifts a photo, so that a finger can still scroll over the grid.
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
        <Suspense fallback={null}>
          <PhotoEditor
            file={editing}
            onClose={() => setEditing(undefined)}
            onDone={(edited) => {
              onReplace(editing.key, edited);
              setEditing(undefined);
            }}
          />
        </Suspense>
      )}
      <Lightbox pictures={files} open={open} onOpen={setOpen} />
    </>
  );
}
