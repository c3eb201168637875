import { renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useStoredDocument } from '../../src/resource/edit/use-stored-document.ts';

const facts = vi.hoisted(() => ({ told: {} as { name?: string } }));
vi.mock('../../src/api/uploads.ts', () => ({ uploadFacts: () => Promise.resolve(facts.told) }));

afterEach(() => {
  facts.told = {};
});

const nameOf = (stored: string) => {
  const { result } = renderHook(() => useStoredDocument(stored));
  return () => result.current[0]?.name;
};

it('a catalogue has the name that somebody gave it, as soon as the server tells', async () => {
  facts.told = { name: 'perkins-p20p.pdf' };
  const name = nameOf(`${'4f'.repeat(32)}.pdf`);
  await waitFor(() => expect(name()).toBe('perkins-p20p.pdf'));
});

it('without the server, a name that it made up is no name to show; one that somebody can read is', async () => {
  expect(nameOf(`${'4f'.repeat(32)}.pdf`)()).toBe('catalog.pdf');
  expect(nameOf('1699123_perkins-p20p.pdf')()).toBe('1699123_perkins-p20p.pdf');
});
