import { routesOf } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { storeRecord } from '../harness/seed.ts';
import { test } from '../harness/shared-world.ts';
import { expectComfort } from './steps/comfort.ts';

const SCREENS = [
  '/about',
  '/pass-change',
  '/sete-meta-update',
  '/no-such-page',
  ...RESOURCES.filter(({ name }) => name !== 'generators').flatMap((resource) =>
    Object.values({ ...routesOf(resource), edit: routesOf(resource).edit(1) }),
  ),
];

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test.beforeAll(async ({ inhabited }) => {
  const api = await Api.signIn(inhabited.server.origin);
  for (const resource of RESOURCES) await storeRecord(api, resource, 1);
});

/** Several parts, so that none takes minutes. */
const PARTS = 4;

for (let part = 1; part <= PARTS; part += 1) {
  test(`every screen fits at 200 %, shows the focus and has no target smaller than a finger (${part} of ${PARTS})`, async ({
    inhabited,
    browser,
  }) => {
    const paths = SCREENS.filter((_, index) => index % PARTS === part - 1);
    await expectComfort(browser, inhabited, paths);
  });
}
