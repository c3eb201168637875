import { resourceOf } from '../../src/domain/resources/index.ts';
import { test } from '../harness/shared-world.ts';
import { inspectAll, inspectKind } from './steps/screens.ts';

/** One screen of each type: all kinds of record share theirs. */

test('the sign-in screen fits every size and is accessible', async ({ context, inhabited }) => {
  await inspectAll(context, inhabited.app.origin, ['/login']);
});

test('the screens without records fit every size and are accessible', async ({ inhabited }) => {
  const paths = ['/', '/outbox', '/sete-meta-update', '/pass-change', '/people'];
  await inspectAll(inhabited.page.context(), inhabited.app.origin, paths);
});

test('the screens of a kind of record fit every size and are accessible', async ({ inhabited }) => {
  await inspectKind(inhabited, resourceOf('generators'));
});
