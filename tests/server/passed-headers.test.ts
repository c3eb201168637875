import { expect, test } from 'vitest';
import { answeredHeaders, askedHeaders } from '../../server/stores/remote/passed-headers.ts';

test('passes on what the contract needs, and no header by which a proxy says who asks or for what', () => {
  const own = {
    accept: 'application/json',
    host: 'back.example',
    origin: 'https://a.example',
    'x-requested-with': 'x',
    cookie: 'a=b',
    authorization: 'Bearer t',
    'x-xsrf-token': 'x',
  };
  const forged = ['client-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip', 'fastly-client-ip', 'x-real-ip']
    .concat([
      'x-forwarded-for',
      'x-forwarded-user',
      'forwarded',
      'x-cluster-client-ip',
      'x-original-url',
      'remote-user',
    ])
    .concat(['x-http-method-override', 'x-host', 'via', 'proxy', 'x-amzn-oidc-identity']);
  expect(askedHeaders({ ...own, ...Object.fromEntries(forged.map((name) => [name, '10.0.0.1'])) })).toEqual(own);
});

test('passes on what an answer says about its content, and nothing that decides about this origin', () => {
  const content = { 'content-type': 'image/png', etag: '"a"', 'set-cookie': ['a=b'], 'cache-control': 'no-store' };
  const deciding = ['content-security-policy', 'access-control-allow-origin', 'access-control-allow-credentials']
    .concat(['strict-transport-security', 'x-frame-options', 'cross-origin-resource-policy', 'referrer-policy', 'link'])
    .concat(['refresh', 'service-worker-allowed', 'clear-site-data', 'server', 'x-powered-by', 'alt-svc', 'report-to']);
  const headers = { ...content, ...Object.fromEntries(deciding.map((name) => [name, '*'])) };
  expect(answeredHeaders(headers, 'http://back.example')).toEqual(content);
});

test.each([
  ['/api/user', '/api/user'],
  ['http://back.example/shop/api/user?a=1', undefined],
  ['http://evil.example/api', undefined],
  ['//evil.example/api', undefined],
  ['http://back.example//evil.example', '/evil.example'],
  ['https://back.example/api', undefined],
])('follows no redirect away from the back end: %s', (location, expected) => {
  const base = location.includes('/shop') ? 'http://back.example/other' : 'http://back.example';
  expect(answeredHeaders({ location }, base).location).toBe(expected);
});

test('leads a redirect within the back end to the same place behind this server', () => {
  const location = 'http://back.example/shop/uploads/a.png';
  expect(answeredHeaders({ location }, 'http://back.example/shop').location).toBe('/uploads/a.png');
});
