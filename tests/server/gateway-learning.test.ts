import { expect, test } from 'vitest';
import { Learning } from '../../server/stores/remote/learning.ts';
import type { Reader } from '../../src/domain/protocol/read-back/reader.ts';

const file = { field: 'image', sha256: 'sent', size: 10, type: 'image/png', name: 'a.png' };

/** What is learned of a file whose readings have these hashes in turn. */
async function learnedFrom(...hashes: readonly (string | undefined)[]) {
  const readings = [...hashes];
  const reader = { sha256: async () => readings.shift() } as unknown as Reader;
  const learning = new Learning({ learned: async () => undefined, keepLearned: async () => undefined });
  const work = {
    target: { op: 'update', resource: 'partners', id: 1 },
    values: { name: 'One', link: '' },
  } as const;
  await learning.fromConfirmed(reader, work, { id: 1, name: 'One', link: '' }, [file]);
  return (await learning.learned()).files['image image/png'];
}

test.each([
  ['the sent bytes', ['sent'], { keptUpTo: 10 }],
  ['other bytes, twice the same', ['other', 'other'], { changedFrom: 10 }],
  ['nothing', [undefined], { unreadable: true }],
  ['the sent bytes after a cut answer', ['half', 'sent'], { keptUpTo: 10 }],
  ['an answer that is cut elsewhere each time, from which nothing follows', ['half', 'third'], undefined],
])('learns from %s', async (_what, hashes, learned) => {
  expect(await learnedFrom(...hashes)).toEqual(learned);
});
