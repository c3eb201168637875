import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import { LocalPage } from '../../src/resource/local-page.tsx';
import { LocalPicture } from '../../src/resource/local-picture.tsx';
import { soon } from '../harness/soon.ts';

const photo = (id: string) => ({ id, field: 'image', name: 'a.png', type: 'image/png', size: 3, sha256: 'abc' });
const revoked = vi.fn<(address: string) => void>();

beforeEach(() => {
  let made = 0;
  Object.assign(URL, { createObjectURL: () => `blob:${(made += 1)}`, revokeObjectURL: revoked });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  revoked.mockReset();
});

test('reads a local picture once per file, however often its change is read again', async () => {
  const read = vi.spyOn(outbox, 'file').mockImplementation(async () => new File(['new'], 'a.png'));
  const { container, rerender } = render(<LocalPicture className="photo" reference={photo('one')} />);
  const shown = () => container.querySelector('img')?.getAttribute('src');
  await soon(() => expect(shown()).toBe('blob:1'));
  // Every save rereads all waiting changes: twenty photos of five megabytes would be read and drawn each time.
  rerender(<LocalPicture className="photo" reference={photo('one')} />);
  rerender(<LocalPicture className="photo" reference={photo('two')} />);
  await soon(() => expect(shown()).toBe('blob:2'));
  expect(read.mock.calls.map(([{ id }]) => id)).toEqual(['one', 'two']);
  expect(revoked.mock.calls).toEqual([['blob:1']]);
});

test('reads a local document once per file', async () => {
  const read = vi.spyOn(outbox, 'file').mockReturnValue(new Promise(() => {}));
  const { rerender } = render(<LocalPage className="page" reference={photo('one')} />);
  for (const id of ['one', 'two']) rerender(<LocalPage className="page" reference={photo(id)} />);
  await soon(() => expect(read.mock.calls.map(([{ id }]) => id)).toEqual(['one', 'two']));
});
