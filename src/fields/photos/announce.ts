import type { DndContextProps, UniqueIdentifier } from '@dnd-kit/core';
import { t } from '../../language/t.ts';

/** One of several things that can change places. */
export interface Placed {
  readonly key: string;
  readonly name: string;
}

/** What a screen reader says while something is moved by keyboard: names and places instead of made-up keys. */
export function announcePlaces(things: readonly Placed[]): NonNullable<DndContextProps['accessibility']> {
  const placeOf = (id: UniqueIdentifier) => things.findIndex(({ key }) => key === id);
  const nameOf = (id: UniqueIdentifier) => things[placeOf(id)]?.name ?? '';
  const at = (id: UniqueIdentifier) =>
    t('place {number} of {count}', { number: placeOf(id) + 1, count: things.length });
  return {
    screenReaderInstructions: {
      draggable: t(
        'Press the space bar to lift it, the arrow keys to move it, and the space bar again to put it down. Escape puts it back.',
      ),
    },
    announcements: {
      onDragStart: ({ active }) => t('{name} is lifted from {at}.', { name: nameOf(active.id), at: at(active.id) }),
      onDragOver: ({ active, over }) =>
        over === null ? undefined : t('{name} is over {at}.', { name: nameOf(active.id), at: at(over.id) }),
      onDragEnd: ({ active, over }) =>
        over === null ? undefined : t('{name} is put down at {at}.', { name: nameOf(active.id), at: at(over.id) }),
      onDragCancel: ({ active }) => t('{name} is back at {at}.', { name: nameOf(active.id), at: at(active.id) }),
    },
  };
}
