import {
  CATALOG_TYPES,
  type FileField,
  IMAGE_TYPES,
  type ImageField,
  type ImagesField,
  TEXT_LENGTH,
  type TextField,
} from '../fields.ts';

/** A required text field of default length. */
export function text(name: string, label: string): TextField {
  return { kind: 'text', name, label, required: true, maxLength: TEXT_LENGTH };
}

/** The catalogue field of every catalogue item. */
export const catalog: FileField = {
  kind: 'file',
  name: 'catalog',
  label: 'Catalog',
  required: true,
  accept: CATALOG_TYPES,
};

/** The photos field of an item. */
export const images: ImagesField = {
  kind: 'images',
  name: 'images',
  label: 'Images',
  required: true,
  accept: IMAGE_TYPES,
};

/** The image field of a record with a single image. */
export const image: ImageField = { kind: 'image', name: 'image', label: 'Image', required: true, accept: IMAGE_TYPES };
