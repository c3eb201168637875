import type { Column, Resource } from '../../domain/resource.ts';
import { usePreferences } from '../../stores/preferences.ts';

/** The width of a row's photo where the list has no column for one. CSS pixels. */
export const ROW_PHOTO = 48;

/** The user's preference as a height difference: denser rows, or larger ones for gloves. It changes on another screen only. */
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

/** The height of a row on narrow screens. On a phone, a wide picture is above its text. */
export function compactHeight(resource: Resource, phone: boolean): number {
  if (imageWidth(resource) <= 100) return 72 + wished(12);
  return phone ? 188 : 132;
}

/** The column that links to the record and comes first in a compact row: the record's title, or else the first text. */
export function leadingColumn({ columns, title }: Resource): Column | undefined {
  const texts = columns.filter((column) => column.kind === 'text');
  return texts.find(({ field }) => title.includes(field)) ?? texts[0];
}

/** The width of the list's image column in CSS pixels. 0 if it has none. */
export function imageWidth(resource: Resource): number {
  const column = resource.columns.find((candidate) => candidate.kind === 'image');
  return column === undefined ? 0 : column.width;
}
