import { describe, expect, test } from 'vitest';
import type { AttachmentField } from '../../src/domain/fields.ts';
import type { Base, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { fieldOf } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import type { FieldErrors } from '../../src/domain/validate.ts';
import type { FormFile } from '../../src/fields/form-file.ts';
import { emptyContent } from '../../src/resource/form/content.ts';
import {
  changedMeanwhile,
  type FormEvent,
  type FormSession,
  isDirty,
  isSaving,
  isStale,
  type Opening,
  openSession,
  reduce,
  unsavedContent,
} from '../../src/resource/form/session.ts';

const gti = resourceOf('grid-tie-inverters');
const images = fieldOf(gti, 'images') as AttachmentField;
const photo = (key: string) => ({ key, field: 'images', name: 'image.jpg' }) as FormFile;
const entry = { id: 'entry-1' } as OutboxEntry;

const contentOf = (values: Record<string, string>) => ({
  values: { ...emptyContent(gti).values, ...values },
  files: [],
});
const baseOf = (values: Record<string, string>, version = 'v1'): Base => ({
  version,
  values: contentOf(values).values,
  imageIds: [],
});

const open = (more: Partial<Opening> = {}) => openSession({ fields: gti.fields, start: emptyContent(gti), ...more });
const edit = (values: Record<string, string> = { model: 'A' }) =>
  open({ start: contentOf(values), base: baseOf(values) });
const after = (session: FormSession, ...events: readonly FormEvent[]) => events.reduce(reduce, session);
const type = (name: string, value: string): FormEvent => ({ type: 'typed', name, value });
const STORED: readonly FormEvent[] = [{ type: 'submitted' }, { type: 'stored', entry }];

describe('typing', () => {
  test('a change of the type empties the brand, whose choices depend on it', () => {
    const filled = edit({ type: 'Single Phase', brand: 'Sungrow' });
    expect(after(filled, type('type', 'Three Phase')).now.values).toMatchObject({ type: 'Three Phase', brand: '' });
    expect(after(filled, type('capacity', '5')).now.values['brand']).toBe('Sungrow');
  });

  test('clears the error of its field and no other', () => {
    const errors = { model: ['Required.'], 'images.0': ['Too large.'] };
    expect(after(open({ errors }), type('model', 'X')).errors).toEqual({ 'images.0': ['Too large.'] });
    const picked = after(open({ errors }), { type: 'picked', field: images, files: [photo('a')] });
    expect(picked.errors).toEqual({ model: ['Required.'] });
  });

  test('takes away the warning of its field, and the last one with it', () => {
    const warned = after(open(), { type: 'warned', errors: { model: ['Required.'], images: ['Required.'] } });
    const typed = after(warned, type('model', 'X'));
    expect(typed.warned).toEqual({ images: ['Required.'] });
    expect(after(typed, { type: 'picked', field: images, files: [photo('a')] })).not.toHaveProperty('warned');
  });

  test('makes a form dirty, and taking it back makes it clean', () => {
    const typed = after(edit(), type('model', 'B'));
    expect([isDirty(edit()), isDirty(typed), isDirty(after(typed, type('model', 'A')))]).toEqual([false, true, false]);
  });

  test('keeps two photos of the same name apart', () => {
    const picked = after(open(), { type: 'picked', field: images, files: [photo('a'), photo('b')] });
    expect(picked.now.files).toHaveLength(2);
    expect(after(picked, { type: 'removed', field: images, key: 'a' }).now.files).toEqual([photo('b')]);
  });
});

describe('a save', () => {
  test('is pending from the press to the answer, and leaves nothing unsaved once stored', () => {
    const pressed = after(edit(), type('model', 'B'), { type: 'submitted' });
    expect([isSaving(pressed), isDirty(pressed)]).toEqual([true, true]);
    const stored = after(pressed, { type: 'stored', entry });
    expect([isSaving(stored), isDirty(stored)]).toEqual([true, false]);
    expect(after(stored, { type: 'settled' }).phase).toEqual({ kind: 'done', entry });
  });

  test('clears the errors and the warning of the previous one', () => {
    const warned = after(open({ errors: { model: ['No.'] } }), { type: 'warned', errors: { brand: ['Required.'] } });
    expect(warned).toMatchObject({ warned: { brand: ['Required.'] }, attention: 1 });
    expect(warned.errors).toEqual({});
    const pressed = after(warned, { type: 'submitted' });
    expect(pressed).not.toHaveProperty('warned');
  });

  test('leaves the form unchanged when it could not be stored', () => {
    const typed = after(edit(), type('model', 'B'));
    expect(after(typed, { type: 'submitted' }, { type: 'not-stored' })).toEqual(typed);
  });

  test('says why nothing was stored until the next press', () => {
    const why = { message: 'This device is full.', isFull: true } as const;
    const full = after(edit(), type('model', 'B'), { type: 'submitted' }, { type: 'not-stored', why });
    expect(full.notStored).toEqual(why);
    expect(after(full, type('model', 'C')).notStored).toEqual(why);
    expect(after(full, { type: 'submitted' })).not.toHaveProperty('notStored');
    expect(after(full, { type: 'reopened', opening: { start: full.start } })).not.toHaveProperty('notStored');
  });

  test('of an edit keeps what is typed meanwhile, based on what was sent', () => {
    const more = after(edit(), type('model', 'B'), ...STORED, type('capacity', '5'));
    expect(unsavedContent(more).values).toMatchObject({ model: 'B', capacity: '5' });
    const gone = after({ ...more, restoredAt: 1 }, { type: 'settled' });
    expect(gone).toMatchObject({ phase: { kind: 'editing' }, now: { values: { model: 'B', capacity: '5' } } });
    expect(gone.start.values).toMatchObject({ model: 'B', capacity: '' });
    expect(gone.base?.values).toMatchObject({ model: 'B', capacity: '' });
    expect(gone).not.toHaveProperty('restoredAt');
  });

  test('of an edit with a photo leaves the form clean once later typing is reverted', () => {
    const sent = after(edit(), { type: 'picked', field: images, files: [photo('a')] }, ...STORED);
    const gone = after(sent, type('capacity', '5'), { type: 'settled' });
    expect([isDirty(gone), gone.now.files]).toEqual([true, []]);
    expect(isDirty(after(gone, type('capacity', '')))).toBe(false);
  });

  test('replaces the server’s earlier errors with a warning when a refusal is likely', () => {
    const refused = open({ errors: { model: ['It is taken.'] } });
    const warned = after(refused, { type: 'warned', errors: { model: ['Required.'] } });
    expect([warned.errors, warned.warned]).toEqual([{}, { model: ['Required.'] }]);
  });

  test('of a new record completes, and hands on what was typed meanwhile', () => {
    const first = after(open(), type('model', 'A'), { type: 'picked', field: images, files: [photo('a')] }, ...STORED);
    const more = after(first, type('capacity', '5'), { type: 'picked', field: images, files: [photo('b')] });
    const { phase } = after(more, { type: 'settled' });
    expect(phase).toMatchObject({ kind: 'done', typed: { values: { capacity: '5' }, files: [{ key: 'b' }] } });
    expect(unsavedContent(more).files).toEqual([photo('b')]);
  });

  test('that meets someone else’s change opens the comparison, unless more was typed', () => {
    const stored = after(edit(), type('model', 'B'), ...STORED);
    const conflict: FormEvent = { type: 'settled', conflictId: 'entry-1' };
    const compared = after(stored, conflict);
    expect(compared.phase).toEqual({ kind: 'conflict', entryId: 'entry-1' });
    expect(isDirty(compared)).toBe(false);
    expect(after(stored, type('model', 'C'), conflict).phase.kind).toBe('editing');
  });
});

describe('a refusal', () => {
  const refuse = (errors: FieldErrors, repairing?: string): FormEvent => ({
    type: 'returned',
    errors,
    message: 'The site is closed today.',
    ...(repairing !== undefined && { repairing }),
  });

  test('restores the form with its errors, and draws attention to them', () => {
    const back = after(edit(), type('model', 'B'), ...STORED, refuse({ model: ['Taken.'] }, 'entry-1'));
    expect(back).toMatchObject({ phase: { kind: 'returned' }, errors: { model: ['Taken.'] }, repairing: 'entry-1' });
    expect([isDirty(back), isSaving(back), back.attention]).toEqual([true, false, 1]);
  });

  test('without field errors keeps its own message', () => {
    expect(after(edit(), ...STORED, refuse({})).errors).toEqual({ '': ['The site is closed today.'] });
  });

  test('is no longer being repaired after a successful save', () => {
    const repaired = after(edit(), ...STORED, refuse({}, 'entry-1'), ...STORED, { type: 'settled' });
    expect(repaired).not.toHaveProperty('repairing');
  });
});

describe('a record that changes on the server', () => {
  const moved = (values: Record<string, string>): FormEvent => ({
    type: 'followed',
    content: contentOf(values),
    base: baseOf(values, 'v2'),
  });

  test('is updated in the form while nothing is typed', () => {
    const followed = after(edit(), moved({ model: 'Theirs' }));
    expect(followed.now.values['model']).toBe('Theirs');
    expect(followed.base?.version).toBe('v2');
    expect(followed.round).toBe(edit().round);
  });

  test('leaves what is typed in place, and is reported as stale', () => {
    const typed = after(edit(), type('model', 'Mine'));
    expect(after(typed, moved({ model: 'Theirs' }))).toBe(typed);
    expect(isStale(typed, baseOf({ model: 'Theirs' }, 'v2'))).toBe(true);
    expect(isStale(edit(), baseOf({ model: 'Theirs' }, 'v2'))).toBe(false);
  });

  test('is reported field by field, except where the same was typed here', () => {
    const typed = after(edit({ model: 'A', origin: 'Italy' }), type('model', 'Mine'), type('capacity', '5'));
    const latest = baseOf({ model: 'Theirs', origin: 'Japan', capacity: '5' }, 'v2');
    expect(changedMeanwhile(typed, latest)).toEqual({ model: 'Theirs', origin: 'Japan' });
  });

  test('counts as unchanged when only its line ends differ', () => {
    const typed = after(edit({ model: 'A', origin: 'Two\nlines' }), type('model', 'Mine'), type('origin', 'One'));
    const latest = baseOf({ model: 'A', origin: 'Two\r\nlines' }, 'v2');
    expect(changedMeanwhile(typed, latest)).toEqual({});
  });

  test('is shown even if the server gives no versions', () => {
    const { version: _, ...base } = baseOf({ model: 'A' });
    const session = open({ start: contentOf({ model: 'A' }), base });
    const theirs = contentOf({ model: 'Theirs' });
    const followed = after(session, { type: 'followed', content: theirs, base: { ...base, values: theirs.values } });
    expect(followed.now.values['model']).toBe('Theirs');
  });

  test('becomes the new base of the edit when it only has what was saved here', () => {
    const saved = after(edit(), type('model', 'B'), ...STORED, type('capacity', '5'), { type: 'settled' });
    const followed = after(saved, moved({ model: 'B' }));
    expect(followed.base?.version).toBe('v2');
    expect(followed.now.values).toMatchObject({ model: 'B', capacity: '5' });
  });

  test('waits while a save is on its way or a photo is being read', () => {
    const stored = after(edit(), ...STORED);
    const reading = after(edit(), { type: 'reading', name: 'images', busy: true });
    for (const session of [stored, reading]) {
      expect(after(session, moved({ model: 'Theirs' })).now.values['model']).toBe('A');
    }
  });
});

test('a reopened form starts a new round, and keeps nothing of the previous one', () => {
  const before = after(
    open({ errors: { model: ['No.'] }, restoredAt: 1 }),
    { type: 'left', name: 'model' },
    { type: 'reading', name: 'images', busy: true },
  );
  const anew = after(before, { type: 'reopened', opening: { start: emptyContent(gti) } });
  expect(anew).toMatchObject({ round: 2, visited: [], reading: [], phase: { kind: 'editing' } });
  expect(anew.errors).toEqual({});
  expect(anew).not.toHaveProperty('restoredAt');
});

test('an event that changes nothing returns the same session object', () => {
  const left = after(open(), { type: 'left', name: 'model' });
  expect(after(left, { type: 'left', name: 'model' })).toBe(left);
  expect(after(left, { type: 'reading', name: 'images', busy: false })).toBe(left);
  expect(after(left, { type: 'settled' })).toBe(left);
});
