import type { DndContextProps, UniqueIdentifier } from '@dnd-kit/core';

/** One of several things that can change places. */
export interface Placed {
  readonly key: string;
  readonly name: string;
}

/** What a screen reader says while something is moved by keyboard: names and places instead of made-up keys. */
export function announcePlaces(things: readonly Placed[]): NonNullable<DndContextProps['accessibility']> {
  const placeOf = (id: UniqueIdentifier) => things.findIndex(({ key }) => key === id);
  const nameOf = (id: UniqueIdentifier) => things[placeOf(id)]?.name ?? '';
  const at = (id: UniqueIdentifier) => `place ${placeOf(id) + 1} of ${things.length}`;
  return {
    screenReaderInstructions: {
      draggable:
        'Press the space bar to lift it, the arrow keys to move it, and the space bar again to put it down. Escape puts it back.',
    },
    announcements: {
      onDragStart: ({ active }) => `${nameOf(active.id)} is lifted from ${at(active.id)}.`,
      onDragOver: ({ active, over }) => (over === null ? undefined : `${nameOf(active.id)} is over ${at(over.id)}.`),
      onDragEnd: ({ active, over }) =>
        over === null ? undefined : `${nameOf(active.id)} is put down at ${at(over.id)}.`,
      onDragCancel: ({ active }) => `${nameOf(active.id)} is back at ${at(active.id)}.`,
    },
  };
}
