import { renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import type { RecordView } from '../../src/domain/outbox/optimistic-view.ts';
import { usePresentFiles } from '../../src/resource/edit/present-files.ts';
import { useStoredDocuments } from '../../src/resource/edit/use-stored-documents.ts';

const generators = resourceOf('generators');
const facts = vi.hoisted(() => ({ told: {} as { name?: string } }));
vi.mock('../../src/api/uploads.ts', () => ({ uploadFacts: () => Promise.resolve(facts.told) }));

afterEach(() => {
  facts.told = {};
});

const namesOf = (files: Record<string, string>, resource = generators) => {
  const view = { files };
  const { result } = renderHook(() => useStoredDocuments(resource, view));
  return () => Object.fromEntries(Object.entries(result.current).map(([field, { name }]) => [field, name]));
};
const nameOf = (stored: string) => {
  const names = namesOf({ catalog: stored });
  return () => names()['catalog'];
};

it('gives a catalogue its original name once the server returns it', async () => {
  facts.told = { name: 'perkins-p20p.pdf' };
  const name = nameOf(`${'4f'.repeat(32)}.pdf`);
  await waitFor(() => expect(name()).toBe('perkins-p20p.pdf'));
});

it('without the server, hides a generated name, but shows a readable one', async () => {
  expect(nameOf(`${'4f'.repeat(32)}.pdf`)()).toBe('catalog.pdf');
  expect(nameOf('1699123_perkins-p20p.pdf')()).toBe('1699123_perkins-p20p.pdf');
});

it('recognizes a document by the kind of its field, whatever the field is called', async () => {
  const manual = { kind: 'file', name: 'manual', label: 'Manual', required: false, accept: [] } as never;
  const names = namesOf(
    { manual: 'start.pdf', image: 'a.png' },
    { ...generators, fields: [...generators.fields, manual] },
  );
  await waitFor(() => expect(names()).toEqual({ manual: 'start.pdf' }));
});

it('lists a photo sent since the record was read after the stored ones, without a picture', () => {
  const sent = { id: 'f-9', field: 'images', name: 'sent.gif', type: 'image/gif', size: 4, sha256: 'ab' };
  const stored = { images: [{ id: 8, image: 'a.jpg' }], removedImageIds: [], files: {} };
  const view = { ...stored, pendingFiles: [], sentFiles: [sent], entries: [] } as unknown as RecordView;
  const { result } = renderHook(() => usePresentFiles(generators, view));
  expect(result.current['images']).toMatchObject([
    { key: '8', name: 'a.jpg' },
    { key: 'f-9', name: 'sent.gif', address: '', thumbnail: '' },
  ]);
  expect(result.current['catalog']).toEqual([]);
});
