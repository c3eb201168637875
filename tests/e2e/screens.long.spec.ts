import { RESOURCES } from '../../src/domain/resources/index.ts';
import { test } from '../harness/shared-world.ts';
import { inspectAll, inspectKind } from './steps/screens.ts';

test('the rare screens fit every size and are accessible', async ({ inhabited }) => {
  const paths = [
    '/about',
    '/sessions',
    '/health',
    '/backups',
    '/security',
    '/preferences',
    '/self-check',
    '/share',
    '/no-such-page',
  ];
  await inspectAll(inhabited.page.context(), inhabited.app.origin, paths);
});

for (const resource of RESOURCES.filter(({ name }) => name !== 'generators')) {
  test(`the screens of ${resource.label.many} fit every size and are accessible`, async ({ inhabited }) => {
    await inspectKind(inhabited, resource);
  });
}
