import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['Chrome', `${MAC}/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36`, true],
  ['Edge', `${MAC}/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, true],
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', true],
  ['Safari', `${MAC}/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15`, false],
  ['Chrome on an iPhone', `${IPHONE} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, false],
  ['Edge on an iPhone', `${IPHONE} Version/18.0 EdgiOS/140.0.0.0 Mobile/15E148 Safari/604.1`, false],
  ['a home screen app on an iPad', `${MAC}/605.1.15 (KHTML, like Gecko)`, false],
])('recognizes whether the engine of %s keeps Blobs', async (_name, userAgent, keepsBlobs) => {
  vi.stubGlobal('navigator', { userAgent });
  vi.stubGlobal('location', { origin: 'http://voltdesk.test' });
  vi.resetModules();
  const { browserEnvironment } = await import('../../src/offline/storage/browser-environment.ts');
  expect(browserEnvironment().keepsBlobs).toBe(keepsBlobs);
});
