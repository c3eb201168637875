import { rollBack } from '../ops/builds.ts';
import { readSettings } from '../settings/settings.ts';

/** Activates the build before the current one. Throws if there is none. */
export async function run(): Promise<void> {
  const { appDir } = readSettings(process.env);
  console.log(`The app is build ${await rollBack({ appDir, now: Date.now })} again.`);
}
