import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { run } from '../runner/suites.ts';
import { findFirefox } from './drive/firefox.ts';
import type { EngineName } from './drive/tab.ts';

/** Debian's packages for each engine except Chromium, which every browser test needs. */
const PACKAGES = {
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver', 'xvfb', 'python3-gi', 'gir1.2-webkit2-4.1'],
} as const satisfies Partial<Record<EngineName, readonly string[]>>;

type Installable = keyof typeof PACKAGES;

/** Installs missing engines if possible. Returns those that are unavailable. */
export function installEngines(): EngineName[] {
  const wanted = missing();
  if (wanted.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const packages = wanted.flatMap((engine) => PACKAGES[engine]).join(' ');
    const install = `apt-get update && apt-get install -y --no-install-recommends procps ${packages}`;
    run(install, { env: { DEBIAN_FRONTEND: 'noninteractive' } });
  }
  return missing();
}

function missing(): Installable[] {
  const isThere = { firefox: findFirefox() !== undefined, webkit: hasWebKit() };
  return (['firefox', 'webkit'] as const).filter((engine) => !isThere[engine]);
}

function hasWebKit(): boolean {
  const library = "import gi; gi.require_version('WebKit2', '4.1'); gi.require_version('Gtk', '3.0')";
  const works = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  return works('which', 'WebKitWebDriver') && works('which', 'Xvfb') && works('/usr/bin/python3', '-c', library);
}
