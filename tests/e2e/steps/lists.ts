import { resourceOf } from '../../../src/domain/resources/index.ts';
import { Api } from '../../harness/api.ts';
import { App } from '../../harness/app.ts';
import { storeRecord } from '../../harness/seed.ts';
import { expect, type World } from '../../harness/world.ts';

export const partners = resourceOf('partners');
export const NAMES = ['Unit 10', 'Ünit 9', 'Solar Co'];

/** Stores partners with these names and opens their list. */
export async function listOf(app: App, { server }: World, names: readonly string[] = NAMES): Promise<void> {
  const api = await Api.signIn(server.origin);
  for (const [seed, name] of names.entries()) await storeRecord(api, partners, seed + 1, { name });
  await signInWithWorker(app);
  await app.open('/partner-all');
  await expect(app.row(names[0] ?? '')).toBeVisible();
}

/** The page that first asks for the worker is surely taken charge of; one that is opened in that very moment is not. */
export async function signInWithWorker(app: App): Promise<void> {
  await app.signIn();
  await app.workerReady();
}
