import { routesOf } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { storeRecord } from '../harness/seed.ts';
import { test } from '../harness/shared-world.ts';
import { expectComfort } from './steps/comfort.ts';

const generators = resourceOf('generators');
const { list, create, edit } = routesOf(generators);

test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** One screen of each type: all kinds of record share theirs. */
for (const paths of [
  [list, '/outbox', '/'],
  [create, edit(1)],
]) {
  test(`${paths.join(', ')} fit at 200 %, show the focus and have no target smaller than a finger`, async ({
    inhabited,
    browser,
  }) => {
    await storeRecord(await Api.signIn(inhabited.server.origin), generators, 1);
    await expectComfort(browser, inhabited, paths);
  });
}
