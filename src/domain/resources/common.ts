import {
  CATALOG_TYPES,
  type FileField,
  IMAGE_TYPES,
  type ImageField,
  type ImagesField,
  TEXT_LENGTH,
  type TextField,
} from '../fields.ts';

/** A required line of text of the usual length. */
export function text(name: string, label: string): TextField {
  return { kind: 'text', name, label, required: true, maxLength: TEXT_LENGTH };
}

/** The catalogue file that every catalogue item has. */
export const catalog: FileField = {
  kind: 'file',
  name: 'catalog',
  label: 'Catalog',
  required: true,
  accept: CATALOG_TYPES,
};

/** The photos of an item. */
export const images: ImagesField = {
  kind: 'images',
  name: 'images',
  label: 'Images',
  required: true,
  accept: IMAGE_TYPES,
};

/** The one image of a record that has only one. */
export const image: ImageField = { kind: 'image', name: 'image', label: 'Image', required: true, accept: IMAGE_TYPES };
