import type { Column, Resource } from '../../domain/resource.ts';
import { usePreferences } from '../../stores/preferences.ts';

/** The width of a row's photo where the list has no column for one. CSS pixels. */
export const ROW_PHOTO = 48;

/** How much lower, or higher for gloves, a row is by somebody's own wish. The screen that changes it is another one. */
function wished(dense: number): number {
  const preferences = usePreferences.getState();
  return (preferences.dense ? -dense : 0) + (preferences.large ? 16 : 0);
}

/** Heights in CSS pixels. They are fixed so that ten thousand rows need no measuring. */
export function rowHeight(resource: Resource): number {
  const width = imageWidth(resource);
  if (width === 0) return 56 + wished(10);
  return width > 100 ? 132 : 92;
}

/** The height of a row without columns, for narrow screens; on a phone a wide picture stands above its text. */
export function compactHeight(resource: Resource, phone: boolean): number {
  if (imageWidth(resource) <= 100) return 72 + wished(12);
  return phone ? 188 : 132;
}

/** The column that opens the record and stands first in a compact row: the one that names it, else the first text. */
export function leadingColumn({ columns, title }: Resource): Column | undefined {
  const texts = columns.filter((column) => column.kind === 'text');
  return texts.find(({ field }) => title.includes(field)) ?? texts[0];
}

/** Width of the list's picture, 0 where it has none. */
export function imageWidth(resource: Resource): number {
  const column = resource.columns.find((candidate) => candidate.kind === 'image');
  return column === undefined ? 0 : column.width;
}
