import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { join } from 'node:path';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { certificateOf } from '../../server/ops/certificate.ts';
import { backEndReadiness } from '../../server/ops/readiness.ts';
import { freshFolder } from './harness.ts';

/** Makes a key and a certificate for localhost that nobody has signed but itself. */
async function selfSigned(): Promise<{ readonly key: Buffer; readonly cert: Buffer }> {
  const folder = await freshFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '30'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

test('a gateway names the certificate of a back end that it does not trust, and the setting', async () => {
  const server = createSecureServer(await selfSigned(), (_request, response) => response.end('{}'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const ready = backEndReadiness(`https://localhost:${(server.address() as AddressInfo).port}`);
  expect(await ready()).toMatch(
    /certificate of the back end is not trusted \(\w*SELF_SIGNED\w*\).*NODE_EXTRA_CA_CERTS/,
  );
});

test('reports only the expiry of a trusted certificate, and requests it by host name', async () => {
  const { key, cert } = await selfSigned();
  const names: string[] = [];
  const server = createServer({
    key,
    cert,
    SNICallback: (name, answer) => {
      names.push(name);
      answer(null);
    },
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const before = getCACertificates('default');
  onTestFinished(() => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, cert.toString()]);
  const seen = await certificateOf('localhost', Date.now, (server.address() as AddressInfo).port)();
  const days = (Date.parse(seen.validUntil ?? '') - Date.now()) / 86_400_000;
  expect([Math.round(days), Object.keys(seen)]).toEqual([30, ['validUntil']]);
  expect(names).toEqual(['localhost']);
});

test('reports a host that accepts the connection and stays silent as one that does not answer', async () => {
  const server = createPlainServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const seen = await certificateOf('localhost', Date.now, (server.address() as AddressInfo).port)();
  expect(seen).toEqual({ problem: 'localhost does not answer to this server.' });
});
