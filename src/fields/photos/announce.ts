import type { DndContextProps, UniqueIdentifier } from '@dnd-kit/core';
import { t } from '../../language/t.ts';

/** An item of a sortable list. */
export interface Placed {
  readonly key: string;
  readonly name: string;
}

/** Screen reader announcements for moving items by keyboard, with names and positions instead of internal keys. */
export function announcePlaces(things: readonly Placed[]): NonNullable<DndContextProps['accessibility']> {
  const placeOf = (id: UniqueIdentifier) => things.findIndex(({ key }) => key === id);
  const nameOf = (id: UniqueIdentifier) => things[placeOf(id)]?.name ?? '';
  const at = (id: UniqueIdentifier) =>
    t('position {number} of {count}', { number: placeOf(id) + 1, count: things.length });
  return {
    screenReaderInstructions: {
      draggable: t(
        'Press Space to pick it up, the arrow keys to move it, and Space again to drop it. Press Escape to put it back.',
      ),
    },
    announcements: {
      onDragStart: ({ active }) => t('Picked up {name} from {at}.', { name: nameOf(active.id), at: at(active.id) }),
      onDragOver: ({ active, over }) =>
        over === null ? undefined : t('{name} is over {at}.', { name: nameOf(active.id), at: at(over.id) }),
      onDragEnd: ({ active, over }) =>
        over === null ? undefined : t('Dropped {name} at {at}.', { name: nameOf(active.id), at: at(over.id) }),
      onDragCancel: ({ active }) => t('{name} is back at {at}.', { name: nameOf(active.id), at: at(active.id) }),
    },
  };
}
