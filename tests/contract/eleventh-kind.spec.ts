import { expect, test } from '@playwright/test';
import { addBatteries, ProjectCopy } from '../harness/project-copy.ts';

test('an eleventh kind of record keeps the whole contract, built of a definition, a migration and one line', () => {
  test.setTimeout(300_000);
  const copy = new ProjectCopy();
  addBatteries(copy);
  const { code, output } = copy.run(
    'playwright',
    'test',
    'tests/contract/every-kind.spec.ts',
    '-g',
    'Batteries',
    '--workers=1',
  );
  copy.remove();
  expect(code, output).toBe(0);
  expect(output).toMatch(/[1-9]\d* passed/);
});
