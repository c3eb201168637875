import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProcessGroup } from './process-group.ts';
import { PuppeteerBrowser } from './puppeteer-browser.ts';
import type { Browser } from './tab.ts';

const PLACES = ['/usr/lib/firefox-esr/firefox-esr', '/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Disables the browser's own traffic and its questions after a kill. Everything else keeps its default. */
const PREFERENCES: Readonly<Record<string, boolean | number | string>> = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.sessionstore.resume_from_crash': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'browser.tabs.warnOnClose': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'http://127.0.0.1:9/',
  'toolkit.startup.max_resumed_crashes': -1,
  'toolkit.telemetry.enabled': false,
};

/** The path of a Firefox for tests: `FIREFOX_PATH`, else an installed one. Undefined if there is none. */
export function findFirefox(): string | undefined {
  return process.env['FIREFOX_PATH'] ?? PLACES.find((path) => existsSync(path));
}

/** Starts Firefox on a profile. `firstScript` runs in every page before the page's own scripts. */
export async function startFirefox(profile: string, firstScript: string): Promise<Browser> {
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'];
  const processes = ProcessGroup.start(findFirefox() ?? 'firefox', args, { MOZ_CRASHREPORTER_DISABLE: '1' });
  const listening = await processes.says(/WebDriver BiDi listening on (ws:\S+)/);
  const connection = { address: `${listening}/session`, protocol: 'webDriverBiDi' } as const;
  return PuppeteerBrowser.connect(processes, connection, firstScript);
}
