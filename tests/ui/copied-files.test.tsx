import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import type { AttachmentField } from '../../src/domain/fields.ts';
import { fieldOf } from '../../src/domain/resource.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import type { FormFile } from '../../src/fields/form-file.ts';
import { type FileSource, fileSources } from '../../src/resource/duplicate/sources.ts';
import { useCopiedFiles } from '../../src/resource/duplicate/use-copied-files.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { emptyContent } from '../../src/resource/form/content.ts';
import { useFormSession } from '../../src/resource/form/use-save.ts';

const catalog = fieldOf(generators, 'catalog') as AttachmentField;
const empty = emptyContent(generators);
const pdf = (name: string) => new File(['%PDF-1.7'], name, { type: 'application/pdf' });

/** A file that somebody picked. */
const own: FormFile = { key: 'own', field: 'catalog', blob: pdf('own.pdf'), name: 'own.pdf', type: 'application/pdf' };

/** A form into which these files are copied. */
function copyInto(sources: readonly FileSource[]) {
  const { result, unmount } = renderHook(() => {
    const form = useFormSession({ fields: generators.fields, start: empty });
    return { form, copying: useCopiedFiles(sources, form) };
  });
  return {
    leave: unmount,
    pick: () => act(() => result.current.form.dispatch({ type: 'picked', field: catalog, files: [own] })),
    stop: () => act(() => result.current.copying.stop()),
    again: () => act(() => result.current.copying.again()),
    reaches: (state: string) => waitFor(() => expect(result.current.copying.state).toBe(state)),
    savingWaits: () => result.current.form.session.reading.length > 0,
    names: () => result.current.form.session.now.files.map(({ name }) => name),
  };
}

test('adds the copied catalogue to the form', async () => {
  const form = copyInto([{ field: catalog, open: async () => pdf('theirs.pdf') }]);
  await form.reaches('done');
  expect(form.names()).toEqual(['theirs.pdf']);
});

test('keeps a catalogue that was picked while the copied one is loading', async () => {
  const coming = Promise.withResolvers<File>();
  const form = copyInto([{ field: catalog, open: () => coming.promise }]);
  form.pick();
  coming.resolve(pdf('theirs.pdf'));
  await form.reaches('done');
  expect(form.names()).toEqual(['own.pdf']);
});

test('ignores a file that arrives after the user continued without it, and can request it again', async () => {
  const coming = Promise.withResolvers<File>();
  const form = copyInto([{ field: catalog, open: () => coming.promise }]);
  expect(form.savingWaits()).toBe(true);
  form.stop();
  coming.resolve(pdf('theirs.pdf'));
  await form.reaches('missing');
  expect(form.names()).toEqual([]);
  expect(form.savingWaits()).toBe(false);
  form.again();
  await form.reaches('done');
  expect(form.names()).toEqual(['theirs.pdf']);
});

test('requests no more files after the form is left', async () => {
  const first = Promise.withResolvers<File>();
  const asked: AbortSignal[] = [];
  const open = (signal: AbortSignal) => (asked.push(signal), first.promise);
  const form = copyInto([catalog, catalog].map((field) => ({ field, open })));
  await waitFor(() => expect(asked).toHaveLength(1));
  form.leave();
  expect(asked[0]?.aborted).toBe(true);
  first.reject(new Error('Called off.'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(asked).toHaveLength(1);
});

test('stops waiting for a file after one minute', async () => {
  const minute = new AbortController();
  const timed = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(minute.signal);
  const open = (signal: AbortSignal) =>
    new Promise<File>((_, fail) => signal.addEventListener('abort', () => fail(new Error('Given up.'))));
  const form = copyInto([{ field: catalog, open }]);
  await waitFor(() => expect(timed).toHaveBeenCalledExactlyOnceWith(60_000));
  await form.reaches('copying');
  minute.abort();
  await form.reaches('missing');
  timed.mockRestore();
});

test('keeps a catalogue picked in place of a failed copy when the copying is retried', async () => {
  let asked = 0;
  const open = async () => {
    asked += 1;
    if (asked === 1) throw new Error('No link.');
    return pdf('theirs.pdf');
  };
  const form = copyInto([{ field: catalog, open }]);
  await form.reaches('missing');
  form.pick();
  form.again();
  await form.reaches('done');
  expect(form.names()).toEqual(['own.pdf']);
  expect(asked).toBe(1);
});

test('reports a just sent catalogue as missing instead of copying the one that it replaced', async () => {
  const file = vi.spyOn(outbox, 'file').mockRejectedValue(new Error('Sent.'));
  const sent = { id: 's', field: 'catalog', name: 'new.pdf', type: 'application/pdf', size: 4, sha256: 'ab' };
  const view = { images: [], removedImageIds: [], files: { catalog: 'old.pdf' }, sentFiles: [sent], pendingFiles: [] };
  const form = copyInto(fileSources(generators, view as never));
  await form.reaches('missing');
  expect(file).toHaveBeenCalledExactlyOnceWith(sent);
  expect(form.names()).toEqual([]);
  file.mockRestore();
});

test('names copied files without a server name in the user’s language', async () => {
  speak(german);
  vi.stubGlobal('fetch', async () => new Response('%PDF-1.7'));
  const images = [
    { id: 1, image: 'a1.jpg' },
    { id: 2, image: 'a2.png' },
  ];
  const view = { images, removedImageIds: [], files: { catalog: 'c.pdf' }, sentFiles: [], pendingFiles: [] };
  const { signal } = new AbortController();
  const files = await Promise.all(fileSources(generators, view as never).map(({ open }) => open(signal)));
  expect(files.map(({ name }) => name)).toEqual(['Katalog.pdf', 'Foto 1.jpg', 'Foto 2.png']);
  vi.unstubAllGlobals();
  speak(undefined);
});
