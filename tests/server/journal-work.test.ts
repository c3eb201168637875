import { expect, test } from 'vitest';
import { workIn } from '../../server/stores/remote/work.ts';

test('a save of the settings that an older gateway left in doubt is read as an edit', () => {
  const sent = { op: 'save-settings', values: { title: 'New' } };
  const work = { target: { op: 'save-settings' }, texts: [], values: { title: 'New' }, files: [], left: [[]] };
  const read = workIn(
    JSON.stringify({ ...work, step: { sent, files: [], baseline: {}, endsBy: 1, keepsTexts: false } }),
  );
  expect(read.target).toMatchObject({ op: 'update', resource: 'site-meta', id: 1 });
  expect(read.step?.sent).toEqual({
    ...sent,
    op: 'update',
    resource: 'site-meta',
    id: 1,
    recordId: '1',
    files: [],
  });
});

test('any other change is read as it was written', () => {
  const target = { op: 'update', resource: 'partners', id: 7 };
  expect(workIn(JSON.stringify({ target, values: { name: 'A' } }))).toEqual({ target, values: { name: 'A' } });
});
