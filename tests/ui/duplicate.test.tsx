import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Resource } from '../../src/domain/resource.ts';
import { aboutItems } from '../../src/domain/resources/about-items.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { newDraftKey } from '../../src/domain/draft-keys.ts';
import { answers, nadia, openApp } from './page.tsx';

const path = () => `${window.location.pathname}${window.location.search}`;
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label, { selector: 'input' });
const createNew = () => screen.findByRole('link', { name: 'Create New' });
const question = () => screen.findByRole('alertdialog', { name: 'Leave without saving?' });

// jsdom's Blobs cannot be stored, so a form with a picked file says so.
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/**
 * The create screen that is to be filled in with record 5, whose files never arrive. Each test has a kind of record of its own:
 * what one keeps unfinished is not restored in the next.
 */
async function openDuplicate({ path: prefix, endpoints }: Resource, answer: (unreachable: Error) => unknown) {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const app = await openApp(`/${prefix}-create?from=5`);
  const { ApiFailure } = await import('../../src/api/failure.ts');
  answers[`GET ${endpoints.single}/5`] = () => answer(new ApiFailure('unreachable', 'Can’t reach the server.'));
  const { followSettled } = await import('../../src/api/confirmed-overlay.ts');
  followSettled(async () => {});
  return app;
}

test('Save waits for the copied files, even after another was picked in their place', async () => {
  const { user } = await openDuplicate(generators, () => ({ id: 5, brand: 'Lumen', catalog: 'sheet.pdf' }));
  expect(await screen.findByText(/Copying the files too/)).toBeDefined();
  const own = new File(['%PDF-1.7'], 'own.pdf', { type: 'application/pdf' });
  await user.upload(await field('Catalog'), own);
  await screen.findByRole('button', { name: 'Remove own.pdf' });
  const save = screen.getByRole('button', { name: /^(Add Generator|Reading photos…)$/ });
  expect(save).toHaveProperty('disabled', true);
});

test('asks before leaving a filled duplicate for the empty form', async () => {
  const { user } = await openDuplicate(partners, () => ({ id: 5, name: 'Lumen', image: 'sun.png' }));
  await waitFor(async () => expect((await field('Name')).value).toBe('Lumen'));
  await user.type(await field('Name'), ' II');
  await user.click(await createNew());
  await question();
  expect(path()).toBe('/partner-create?from=5');
  await user.click(screen.getByRole('button', { name: 'Stay' }));
  expect((await field('Name')).value).toBe('Lumen II');

  await user.click(await createNew());
  await question();
  await user.click(screen.getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(path()).toBe('/partner-create'));
  await waitFor(async () => expect((await field('Name')).value).toBe(''));
});

test('does not restore in the empty form what was discarded on the way there', async () => {
  const { drafts } = await import('../../src/api/drafts.ts');
  await drafts.write(newDraftKey(String(nadia.id), aboutItems), { values: { name: 'Kept' }, files: [], savedAt: 1 });
  const { user } = await openDuplicate(aboutItems, () => ({ id: 5, name: 'Lumen', image: 'sun.png' }));
  expect((await field('Name')).value).toBe('Kept');
  await user.click(await createNew());
  await question();
  await user.click(screen.getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(path()).toBe('/about-create'));
  await waitFor(async () => expect((await field('Name')).value).toBe(''));
});

test('reports a record that is neither on this device nor reachable, with Retry', async () => {
  let reached = false;
  const { user } = await openDuplicate(certifications, (unreachable) => {
    if (!reached) throw unreachable;
    return { id: 5, name: 'ISO 9001', image: 'iso.png' };
  });
  expect(await screen.findByText('Can’t reach the server.')).toBeDefined();
  expect(screen.queryByLabelText('Name')).toBeNull();
  reached = true;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(async () => expect((await field('Name')).value).toBe('ISO 9001'));
  expect(screen.queryByText('Can’t reach the server.')).toBeNull();
});

test('leaves the form empty when the record no longer exists', async () => {
  await openDuplicate(streetLights, (failure) => {
    throw Object.assign(failure, { kind: 'missing' });
  });
  expect((await field('Brand')).value).toBe('');
  expect(screen.queryByText('Can’t reach the server.')).toBeNull();
});
