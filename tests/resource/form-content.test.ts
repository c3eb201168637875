import { describe, expect, test } from 'vitest';
import type { AttachmentField } from '../../src/domain/fields.ts';
import { fieldOf } from '../../src/domain/resource.ts';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { type FormFile, filesOf, withFileMoved, withFiles } from '../../src/fields/form-file.ts';
import {
  changedSince,
  differs,
  emptyContent,
  fileErrors,
  firstError,
  hintsFor,
  unplacedErrors,
} from '../../src/resource/form/content.ts';
import { sectionsOf } from '../../src/resource/form/sections.ts';

const gti = resourceOf('grid-tie-inverters');
const images = fieldOf(gti, 'images') as AttachmentField;
const catalog = fieldOf(gti, 'catalog') as AttachmentField;
const file = (key: string, field = 'images'): FormFile => ({
  key,
  field,
  blob: new Blob(['x']),
  name: `${key}.png`,
  type: 'image/png',
});
const keys = (files: readonly FormFile[]) => files.map(({ key }) => key);

describe('values', () => {
  test('counts a form as changed only when a text or a file differs', () => {
    const start = emptyContent(gti);
    expect(differs(start, { ...start, values: { ...start.values } })).toBe(false);
    expect(differs(start, { ...start, values: { ...start.values, model: 'X' } })).toBe(true);
    expect(differs(start, { ...start, files: [file('a')] })).toBe(true);
    const { model: _, ...others } = start.values;
    expect(differs(start, { ...start, values: others })).toBe(false);
    expect(differs({ ...start, values: others }, start)).toBe(false);
  });

  test('finds what was entered since a save, without fields that were and still are empty', () => {
    const saved = { values: { model: 'X' }, files: [file('a')] };
    const now = { values: { model: 'X', brand: '', origin: 'Italy' }, files: [file('a'), file('b')] };
    expect(changedSince(saved, now)).toEqual({ values: { origin: 'Italy' }, files: [now.files[1]] });
  });
});

describe('files', () => {
  test('adds photos, but replaces a document', () => {
    const two = withFiles(withFiles([], images, [file('a')]), images, [file('b')]);
    expect(keys(two)).toEqual(['a', 'b']);
    const replaced = withFiles(withFiles(two, catalog, [file('old', 'catalog')]), catalog, [file('new', 'catalog')]);
    expect(keys(filesOf(replaced, catalog))).toEqual(['new']);
    const both = withFiles(two, catalog, [file('first', 'catalog'), file('last', 'catalog')]);
    expect(keys(filesOf(both, catalog))).toEqual(['last']);
    expect(keys(filesOf(replaced, images))).toEqual(['a', 'b']);
  });

  test('moves a photo within its field, no further than either end', () => {
    const three = [file('a'), file('x', 'catalog'), file('b'), file('c')];
    expect(keys(filesOf(withFileMoved(three, 'c', 0), images))).toEqual(['c', 'a', 'b']);
    expect(keys(filesOf(withFileMoved(three, 'a', 9), images))).toEqual(['b', 'c', 'a']);
    expect(keys(filesOf(withFileMoved(three, 'a', -1), images))).toEqual(['a', 'b', 'c']);
  });

  test('places errors of single files at those files, and shows the first one at the field', () => {
    const errors = { 'images.1': ['Too large.', 'Too wide.'] };
    expect(fileErrors(images, errors, 2)).toEqual([undefined, 'Too large.']);
    expect(firstError(images, errors, [file('a'), file('b')])).toBe('Too large.');
    expect(firstError(images, { images: ['Required.'] }, [])).toBe('Required.');
  });

  test('shows the error of a removed file at the field', () => {
    expect(firstError(images, { 'images.4': ['Too large.'] }, [file('a')])).toBe('Too large.');
    const errors = { 'images.0': ['Too wide.'], 'images.1': ['Too large.'] };
    expect(firstError(images, errors, [file('a')])).toBe('Too large.');
  });

  test('errors of several photos are counted in one sentence', () => {
    const errors = { 'images.0': ['Too wide.'], 'images.1': ['Too large.'] };
    const told = firstError(images, errors, [file('a'), file('b')]);
    expect(told).toBe('2 photos have a problem. See each one.');
  });

  test('lists an error separately only if no field matches it, by its own or the server’s name', () => {
    const named = { model: ['M'], images: ['I'], 'images[]': ['W'], 'images.0': ['F'] };
    expect(unplacedErrors(gti.fields, named)).toEqual([]);
    expect(unplacedErrors(gti.fields, { images_total: ['Too many bytes.'], '': ['No.'] })).toEqual([
      'Too many bytes.',
      'No.',
    ]);
  });
});

describe('hints', () => {
  test('say beforehand what the server would refuse, files included', () => {
    const hints = hintsFor(gti.fields, emptyContent(gti), { creating: true, maxFileBytes: 10 });
    expect(hints['model']).toEqual(['The model field is required.']);
    expect(hints['images']).toEqual(['The images field is required.']);
    const editing = hintsFor(gti.fields, emptyContent(gti), { creating: false, maxFileBytes: 10 });
    expect(editing).not.toHaveProperty('images');
  });
});

describe('sections', () => {
  test.each(RESOURCES.map((resource) => [resource.name, resource] as const))(
    'of %s hold every field once',
    (_, resource) => {
      const shown = sectionsOf(resource.fields).flatMap((section) => section.fields.map(({ name }) => name));
      expect(shown.toSorted()).toEqual(resource.fields.map(({ name }) => name).toSorted());
    },
  );
});
