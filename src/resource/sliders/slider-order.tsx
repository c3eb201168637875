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
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { Resource } from '../../domain/resource.ts';
import { announcePlaces, type Placed } from '../../fields/photos/announce.ts';
import { notify } from '../../stores/notifications.ts';
import { ListSkeleton } from '../../ui/skeletons.tsx';
import { useUnsaved } from '../../stores/unsaved.ts';
import { useGuardedClose } from '../../ui/use-guarded-close.ts';
import type { OrderProps } from '../overrides.ts';
import { savedOnDevice } from '../saved-words.ts';
import { enqueueAll, followed } from '../told.ts';
import { useAdministrator } from '../use-administrator.ts';
import { movedTo, type Renumbered, renumbered, type Slide, withStored } from './order-rules.ts';
import { SlideLine } from './slide-line.tsx';
import { useSlides } from './use-slides.ts';
import './slider-order.css';
import { t } from '../../language/t.ts';
import { sayTitle } from '../say-title.ts';

/** Reorders the slides by mouse, touch, keyboard or typed serial. One Save stores all changes. */
export default function SliderOrder({ resource, rows, onClose }: OrderProps) {
  const administrator = useAdministrator();
  const [shownRows] = useState(rows);
  const { slides: stored, failed } = useSlides(resource, shownRows);
  const [ordered, setOrdered] = useState<Slide[]>();
  const [saving, setSaving] = useState(false);
  const slides = ordered ?? stored ?? [];
  const changes = renumbered(slides);
  useUnsaved(ordered !== undefined && changes.length > 0 && !saving);
  const leave = useGuardedClose(ordered !== undefined && changes.length > 0 && !saving, onClose);

  const save = async () => {
    setSaving(true);
    const entries = await enqueueAll(changes.map((change) => placeChange(resource, change, administrator)));
    if (entries.length === changes.length) {
      await tellOutcome(entries);
      return onClose();
    }
    setOrdered((now) => withStored(now ?? slides, changes.slice(0, entries.length)));
    setSaving(false);
  };
  return (
    // While a slide is lifted, Escape puts it back; otherwise it closes the dialog.
    <Dialog open onClose={() => !saving && leave()} fullWidth maxWidth="sm" aria-labelledby="order-title">
      <DialogTitle id="order-title">{t('Order of the slides')}</DialogTitle>
      <DialogContent>
        {failed && <p role="alert">{t('Some slides are not on this device, so their order cannot be changed now.')}</p>}
        {stored === undefined && !failed && <ListSkeleton rows={4} />}
        {/* A move during a save would be lost at its end, which closes the dialog. */}
        <div inert={saving}>
          <SortableSlides slides={slides} onMove={(recordId, place) => setOrdered(movedTo(slides, recordId, place))} />
        </div>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" disabled={saving} onClick={leave}>
          {t('Cancel')}
        </Button>
        <Button variant="contained" disabled={changes.length === 0} loading={saving} onClick={() => void save()}>
          {t('Save order')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface SortableSlidesProps {
  readonly slides: readonly Slide[];
  readonly onMove: (recordId: string, place: number) => void;
}

function SortableSlides({ slides, onMove }: SortableSlidesProps) {
  const lifted = useRef(false);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const drop = ({ active, over }: DragEndEvent) => {
    lifted.current = false;
    const place = slides.findIndex((slide) => slide.recordId === over?.id);
    if (place !== -1) onMove(String(active.id), place);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={announcePlaces(slides.map(placed))}
      onDragStart={() => {
        lifted.current = true;
      }}
      onDragCancel={() => {
        lifted.current = false;
      }}
      onDragEnd={drop}
    >
      <SortableContext items={slides.map((slide) => slide.recordId)} strategy={verticalListSortingStrategy}>
        <div role="presentation" onKeyDown={(event) => lifted.current && putBack(event)}>
          <ol className="slides">
            {slides.map((slide, at) => (
              <SlideLine
                key={slide.recordId}
                slide={slide}
                place={at}
                count={slides.length}
                onMove={(place) => onMove(slide.recordId, place)}
              />
            ))}
          </ol>
        </div>
      </SortableContext>
    </DndContext>
  );
}

/**
 * Passes Escape to the drag sensor, which listens on the document, and keeps it from the dialog, which would swallow the key
 * and close.
 */
function putBack(event: KeyboardEvent): void {
  if (event.key !== 'Escape') return;
  event.stopPropagation();
  document.dispatchEvent(new window.KeyboardEvent('keydown', { key: event.key, code: event.code }));
}

function placed({ recordId, values }: Slide): Placed {
  return { key: recordId, name: values['text'] ?? '' };
}

/** Follows the stored changes for a moment and reports their outcome in one toast. */
async function tellOutcome(entries: readonly OutboxEntry[]): Promise<void> {
  const ends = await Promise.all(entries.map((entry) => followed(entry)));
  const stopped = ends.filter(({ state }) => state === 'attention').length;
  const waiting = ends.find(({ state }) => state !== 'done');
  if (stopped > 0)
    notify(t('{stopped} of {count} slides couldn’t be moved. See the Outbox.', { stopped, count: ends.length }), {
      kind: 'error',
    });
  else if (waiting === undefined)
    notify(t('The slides are in their new order.'), { kind: 'success', changes: ends.length });
  else notify(await savedOnDevice(waiting), { kind: 'info' });
}

function placeChange(resource: Resource, { slide, values }: Renumbered, administrator: string) {
  const { recordId, base } = slide;
  const draft = { op: 'update', resource: resource.name, recordId, values, files: [], base } as const;
  return { draft, about: { administrator, title: sayTitle(resource, values) } };
}
