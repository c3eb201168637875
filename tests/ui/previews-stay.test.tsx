import { renderHook, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { usePresentFiles } from '../../src/resource/edit/present-files.ts';

const bytes = vi.hoisted(() => ({ file: vi.fn() }));
vi.mock('../../src/api/outbox.ts', () => ({ outbox: bytes }));
vi.mock('../../src/resource/catalogues/use-kept-documents.ts', () => ({ useKeptDocuments: () => ({}) }));
vi.mock('../../src/resource/edit/use-stored-documents.ts', () => ({ useStoredDocuments: () => ({}) }));

test('a waiting photo that is shown keeps its preview while another one is added to the record', async () => {
  let made = 0;
  const revoked = new Set<string>();
  URL.createObjectURL = () => `blob:${(made += 1)}`;
  URL.revokeObjectURL = (address) => void revoked.add(address);
  bytes.file.mockImplementation(async () => new Blob(['x']));
  const ref = (id: string) => ({ id, field: 'images', name: `${id}.png`, type: 'image/png', size: 1, sha256: id });
  const view = (ids: string[]) =>
    ({
      recordId: '1',
      values: {},
      images: [],
      files: {},
      pendingFiles: ids.map(ref),
      sentFiles: [],
      deleted: false,
      known: true,
      removedImageIds: [],
      entries: [],
    }) as never;
  const { result, rerender } = renderHook(({ ids }) => usePresentFiles(streetLights, view(ids)), {
    initialProps: { ids: ['a', 'b'] },
  });
  await waitFor(() => expect(result.current['images']?.[0]?.thumbnail).toMatch(/^blob:/));
  bytes.file.mockImplementation(() => new Promise(() => {})); // a slow disk
  rerender({ ids: ['a', 'b', 'c'] });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const dead = (result.current['images'] ?? []).filter(({ thumbnail }) => revoked.has(thumbnail));
  expect(dead.map(({ key }) => key)).toEqual([]);
});
