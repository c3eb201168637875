import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import type { AttachmentField } from '../../src/domain/fields.ts';
import type { RecordView } from '../../src/domain/outbox/optimistic-view.ts';
import { fieldOf } from '../../src/domain/resource.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { CopiedFilesNotice } from '../../src/resource/duplicate/copied-files-notice.tsx';
import { type FileSource, fileSources } from '../../src/resource/duplicate/sources.ts';
import { useCopiedFiles } from '../../src/resource/duplicate/use-copied-files.ts';
import { usePresentFiles } from '../../src/resource/edit/present-files.ts';
import { useStoredDocuments } from '../../src/resource/edit/use-stored-documents.ts';
import { emptyContent } from '../../src/resource/form/content.ts';
import { useFormSession } from '../../src/resource/form/use-save.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';

/** The files that a record has: as its form shows them, and as its duplicate gets them. */

const facts = vi.hoisted(() => ({ of: {} as Record<string, Promise<{ name?: string }>>, asked: [] as string[] }));
vi.mock('../../src/api/uploads.ts', async (original) => ({
  ...(await original<typeof import('../../src/api/uploads.ts')>()),
  uploadFacts: (address: string) => {
    facts.asked.push(address);
    return facts.of[address.split('/').at(-1) ?? ''] ?? Promise.resolve({});
  },
}));

const revoked = vi.fn<(address: string) => void>();
beforeEach(() => {
  URL.createObjectURL = (blob) => `blob:${(blob as File).name}`;
  URL.revokeObjectURL = revoked;
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  facts.of = {};
  facts.asked = [];
  useServerAbilities.setState({}, true);
});

const waiting = (id: string, field = 'images') => ({
  id,
  field,
  name: `${id}.gif`,
  type: 'image/gif',
  size: 4,
  sha256: 'ab',
});

function viewOf(more: Partial<RecordView>): RecordView {
  const nothing = { images: [], removedImageIds: [], files: {}, pendingFiles: [], sentFiles: [], entries: [] };
  return { recordId: '1', values: {}, ...nothing, ...more } as unknown as RecordView;
}

const present = (view: RecordView, resource: typeof generators | typeof partners = generators) =>
  renderHook(({ shown }) => usePresentFiles(resource, shown), { initialProps: { shown: view } });
const told = (file: { readonly key: string; readonly state?: string } | undefined) => [file?.key, file?.state];

test('orders photos as the server will: stored, then sent, then waiting', async () => {
  vi.spyOn(outbox, 'file').mockImplementation(async ({ name }) => new File(['GIF8'], name));
  const view = viewOf({
    images: [8, 9].map((id) => ({ id, image: `${id}.jpg` })),
    removedImageIds: [9],
    sentFiles: [waiting('sent')],
    pendingFiles: [waiting('waits'), waiting('logo', 'image')],
  });
  const { result } = present(view);
  const states = [
    ['8', undefined],
    ['9', 'leaving'],
    ['sent', undefined],
    ['waits', 'waiting'],
  ];
  expect(result.current['images']?.map(told)).toEqual(states);
  await waitFor(() => expect(result.current['images']?.at(-1)?.address).toBe('blob:waits.gif'));
});

test('opens a stored photo in a larger size than its tile', () => {
  useServerAbilities.setState({ imageSizes: [300, 1200] });
  const { result } = present(viewOf({ images: [{ id: 8, image: 'a.jpg' }] }));
  expect(result.current['images']?.[0]?.thumbnail).toMatch(/a\.jpg\?width=300$/);
  expect(result.current['images']?.[0]?.address).toMatch(/a\.jpg\?width=1200$/);
});

test('shows a waiting photo whose bytes are lost without a picture, and the others with theirs', async () => {
  vi.spyOn(outbox, 'file').mockImplementation(async ({ id, name }) => {
    if (id === 'lost') throw new Error('Lost.');
    return new File(['GIF8'], name);
  });
  const { result } = present(viewOf({ pendingFiles: [waiting('lost'), waiting('here')] }));
  await waitFor(() => expect(result.current['images']?.[1]?.address).toBe('blob:here.gif'));
  expect(result.current['images']?.[0]).toMatchObject({ key: 'lost', address: '', state: 'waiting' });
});

test('releases the bytes of photos that no longer wait, and does not open late ones', async () => {
  const late = Promise.withResolvers<File>();
  vi.spyOn(outbox, 'file').mockImplementation(async ({ name }) => new File(['GIF8'], name));
  const shown = present(viewOf({ pendingFiles: [waiting('first')] }));
  await waitFor(() => expect(shown.result.current['images']?.[0]?.address).toBe('blob:first.gif'));
  shown.rerender({ shown: viewOf({}) });
  expect(revoked).toHaveBeenCalledWith('blob:first.gif');
  vi.spyOn(outbox, 'file').mockReturnValue(late.promise);
  const opened = vi.spyOn(URL, 'createObjectURL');
  shown.rerender({ shown: viewOf({ pendingFiles: [waiting('late')] }) });
  shown.unmount();
  late.resolve(new File(['GIF8'], 'late.gif'));
  await late.promise;
  await Promise.resolve();
  expect(opened).not.toHaveBeenCalled();
});

test('the bytes of waiting photos are read once, also when every save makes their references anew', async () => {
  const read = vi.spyOn(outbox, 'file').mockImplementation(async ({ name }) => new File(['GIF8'], name));
  revoked.mockClear();
  const reading = () => viewOf({ pendingFiles: [waiting('first'), waiting('second')] });
  const shown = present(reading());
  const addresses = () => shown.result.current['images']?.map(({ address }) => address);
  await waitFor(() => expect(addresses()).toEqual(['blob:first.gif', 'blob:second.gif']));
  shown.rerender({ shown: reading() });
  await act(async () => {});
  expect(addresses()).toEqual(['blob:first.gif', 'blob:second.gif']);
  expect(read).toHaveBeenCalledTimes(2);
  expect(revoked).not.toHaveBeenCalled();
});

test('names each document, whichever name arrives first', async () => {
  const [catalogue, manual] = [Promise.withResolvers<{ name: string }>(), Promise.withResolvers<{ name: string }>()];
  facts.of = { 'a.pdf': catalogue.promise, 'b.pdf': manual.promise };
  const extra = { kind: 'file', name: 'manual', label: 'Manual', required: false, accept: [] } as never;
  const resource = { ...generators, fields: [...generators.fields, extra] };
  const view = viewOf({ files: { catalog: 'a.pdf', manual: 'b.pdf' } });
  const { result } = renderHook(() => useStoredDocuments(resource, view));
  await act(async () => manual.resolve({ name: 'manual.pdf' }));
  await act(async () => catalogue.resolve({ name: 'sheet.pdf' }));
  expect(Object.values(result.current).map(({ name }) => name)).toEqual(['sheet.pdf', 'manual.pdf']);
});

test('requests no names for a record without documents', () => {
  const { result } = renderHook(() => useStoredDocuments(generators, viewOf({})));
  expect([result.current, facts.asked]).toEqual([{}, []]);
});

const fieldsOf = (sources: readonly FileSource[]) => sources.map(({ field }) => field.name);

test('duplicates the remaining and waiting photos, and the newest of a single file', async () => {
  vi.spyOn(outbox, 'file').mockImplementation(async ({ name }) => new File(['GIF8'], name));
  const sources = fileSources(
    generators,
    viewOf({
      images: [8, 9].map((id) => ({ id, image: `${id}.jpg` })),
      removedImageIds: [9],
      files: { catalog: 'sheet.pdf' },
      sentFiles: [waiting('sent')],
      pendingFiles: [waiting('waits'), waiting('newer', 'catalog')],
    }),
  );
  expect(fieldsOf(sources).toSorted()).toEqual(['catalog', 'images', 'images', 'images']);
  const { signal } = new AbortController();
  const names = await Promise.all(sources.slice(-2).map(async (source) => (await source.open(signal)).name));
  expect(names.some((name) => name === 'sent.gif' || name === 'waits.gif' || name === 'newer.gif')).toBe(true);
  const own = sources.find(({ field }) => field.name === 'catalog');
  expect((await own?.open(signal))?.name).toBe('newer.gif');
});

test('numbers the stored files of a duplicate, and keeps their extensions', async () => {
  vi.stubGlobal('fetch', async () => new Response('GIF8', { headers: { 'Content-Type': 'image/gif' } }));
  const view = viewOf({ images: [8, 9].map((id) => ({ id, image: `x${id}.v2.gif` })), files: { catalog: 'y.pdf' } });
  const { signal } = new AbortController();
  const names = await Promise.all(
    fileSources(generators, view).map(async ({ open }) => (await open(signal).catch(() => undefined))?.name),
  );
  expect(names.filter((name) => name?.startsWith('Photo'))).toEqual(['Photo 1.gif', 'Photo 2.gif']);
  vi.unstubAllGlobals();
});

test('a duplicate gets the photos in the order of the record: stored, then sent, then waiting', async () => {
  vi.spyOn(outbox, 'file').mockImplementation(async ({ name }) => new File(['GIF8'], name));
  vi.stubGlobal('fetch', async () => new Response('GIF8', { headers: { 'Content-Type': 'image/gif' } }));
  const view = viewOf({
    images: [8, 9].map((id) => ({ id, image: `${id}.gif` })),
    sentFiles: [waiting('sent')],
    pendingFiles: [waiting('first'), waiting('second')],
  });
  const { signal } = new AbortController();
  const opened = await Promise.all(fileSources(generators, view).map(({ open }) => open(signal)));
  expect(opened.map(({ name }) => name)).toEqual(['Photo 1.gif', 'Photo 2.gif', 'sent.gif', 'first.gif', 'second.gif']);
  vi.unstubAllGlobals();
});

const images = fieldOf(generators, 'images') as AttachmentField;
const gif = (name: string) => new File([`GIF89a ${name}`], name, { type: 'image/gif' });

/** A duplicate into which these files come. */
function Copy({ sources }: { sources: readonly FileSource[] }) {
  const form = useFormSession({ fields: generators.fields, start: emptyContent(generators) });
  const copying = useCopiedFiles(sources, form);
  const { now, reading } = form.session;
  return (
    <>
      <CopiedFilesNotice {...copying} />
      <p aria-label="Files">{now.files.map(({ name }) => name).join()}</p>
      <p aria-label="Reading">{reading.join()}</p>
    </>
  );
}

const text = (label: string) => screen.getByLabelText(label).textContent;

test('says which file is being copied, and Save waits for it', async () => {
  const [one, two] = [Promise.withResolvers<File>(), Promise.withResolvers<File>()];
  render(<Copy sources={[one, two].map(({ promise }) => ({ field: images, open: () => promise }))} />);
  expect(screen.getByText('Copying the files too: 1 of 2…')).toBeDefined();
  expect(text('Reading')).toBe('copied files');
  one.resolve(gif('one.gif'));
  expect(await screen.findByText('Copying the files too: 2 of 2…')).toBeDefined();
  two.resolve(gif('two.gif'));
  await waitFor(() => expect(text('Files')).toBe('one.gif,two.gif'));
  await waitFor(() => expect(screen.queryByText(/Copying/)).toBeNull());
  await waitFor(() => expect(text('Reading')).toBe(''));
});

test('counts failed copies, stops waiting for them, and retries only them', async () => {
  const asked: string[] = [];
  let reached = false;
  const source = (name: string): FileSource => ({
    field: images,
    open: async () => {
      asked.push(name);
      if (name !== 'one.gif' && !reached) throw new Error('No link.');
      return gif(name);
    },
  });
  render(<Copy sources={['one.gif', 'two.gif', 'three.gif'].map(source)} />);
  expect(await screen.findByText('2 files could not be copied.')).toBeDefined();
  await waitFor(() => expect([text('Files'), text('Reading')]).toEqual(['one.gif', '']));
  reached = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(text('Files')).toBe('one.gif,two.gif,three.gif'));
  await waitFor(() => expect(screen.queryByText(/could not be copied/)).toBeNull());
  expect(asked.filter((name) => name === 'one.gif')).toHaveLength(1);
});

test('ignores a file that arrives after “Continue without them”', async () => {
  const late = Promise.withResolvers<File>();
  render(<Copy sources={[{ field: images, open: () => late.promise }]} />);
  await userEvent.click(screen.getByRole('button', { name: 'Continue without them' }));
  late.resolve(gif('late.gif'));
  expect(await screen.findByText('1 file could not be copied.')).toBeDefined();
  expect(text('Files')).toBe('');
});

test('requests no more files once a duplicate was left', async () => {
  const first = Promise.withResolvers<File>();
  let signal: AbortSignal | undefined;
  const second = vi.fn<() => Promise<File>>();
  const sources = [
    {
      field: images,
      open: (given: AbortSignal) => {
        signal = given;
        return first.promise;
      },
    },
    { field: images, open: second },
  ];
  const { unmount } = render(<Copy sources={sources} />);
  await waitFor(() => expect(signal).toBeDefined());
  unmount();
  expect(signal?.aborted).toBe(true);
  first.resolve(gif('one.gif'));
  await first.promise;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(second).not.toHaveBeenCalled();
});
