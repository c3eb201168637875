import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { Vitals } from '../../server/ops/health.ts';
import { metricsRoute } from '../../server/ops/metrics.ts';
import { FACTOR_ASKED, PASSKEY_SIGN_IN_PATH, SECOND_STEP_PATH } from '../../src/domain/protocol/second-factor.ts';
import { testSettings } from './harness.ts';

/** Past the first bucket of durations. Milliseconds. */
const SLOW = 60;
const VITALS: Vitals = { startedAt: '2026-11-20T10:00:00.000Z', diskFree: 1, diskSize: 2 };

/** A server whose routes answer with the status in the query, and its metrics by name and labels. */
async function measured(vitals: Vitals = VITALS) {
  const app = Fastify();
  onTestFinished(() => app.close());
  metricsRoute(app, testSettings({ METRICS: 'yes' }), async () => vitals);
  for (const path of ['/api/auth/login', SECOND_STEP_PATH, PASSKEY_SIGN_IN_PATH, '/api/other'])
    app.post(path, async (request, reply) => {
      await reply.code(Number((request.query as { status: string }).status)).send({});
    });
  app.post('/api/slow', async () => pause(SLOW + 5, {}));
  const post = (path: string, status: number) => app.inject({ method: 'POST', url: `${path}?status=${status}` });
  const figures = async () => {
    const { body, headers } = await app.inject({ url: '/metrics' });
    const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const pairs = lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))] as const);
    return { headers, of: new Map(pairs) };
  };
  return { post, figures };
}

const signIns = (result: string) => `voltdesk_sign_ins_total{result="${result}"}`;

test('counts sign-ins of every kind by outcome, and no other calls', async () => {
  const { post, figures } = await measured();
  await post('/api/auth/login', 200);
  await post('/api/auth/login', FACTOR_ASKED);
  await post('/api/auth/login', 422);
  await post('/api/auth/login', 429);
  await post(SECOND_STEP_PATH, 200);
  await post(PASSKEY_SIGN_IN_PATH, 200);
  await post(PASSKEY_SIGN_IN_PATH, 422);
  await post('/api/other', 200);
  const { of } = await figures();
  expect(of.get(signIns('accepted'))).toBe(3);
  expect(of.get(signIns('second-factor-asked'))).toBe(1);
  expect(of.get(signIns('refused'))).toBe(2);
  expect(of.get(signIns('limited'))).toBe(1);
});

test('counts a duration in seconds in the first bucket that it fits, and in all larger ones', async () => {
  const { post, figures } = await measured();
  await post('/api/slow', 200);
  const { of } = await figures();
  const told = (name: string) => of.get(`voltdesk_http_request_duration_seconds${name}`) ?? -1;
  expect([told('_count'), told('_bucket{le="0.05"}'), told('_bucket{le="+Inf"}')]).toEqual([1, 0, 1]);
  // it was the only one, so the sum is its own
  const bounds = ['0.05', '0.25', '1', '5', '30', '+Inf'];
  const fitting = bounds.filter((bound) => told('_sum') <= Number(bound.replace('+Inf', 'Infinity')));
  expect(bounds.filter((bound) => told(`_bucket{le="${bound}"}`) === 1)).toEqual(fitting);
  expect(told('_sum')).toBeGreaterThanOrEqual(SLOW / 1000);
});

test('exports times as Prometheus expects them, and is not cacheable', async () => {
  const validUntil = new Date(Date.now() + 3_600_000).toISOString();
  const backup = { at: new Date(Date.now() - 60_000).toISOString(), damaged: 0, isEncrypted: false };
  const { figures } = await measured({ ...VITALS, certificate: { validUntil }, backup });
  const { of, headers } = await figures();
  expect(of.get('process_start_time_seconds')).toBe(Date.UTC(2026, 10, 20, 10) / 1000);
  expect(Math.round(Number(of.get('voltdesk_certificate_end_seconds')) / 600)).toBe(6);
  expect(Math.round(Number(of.get('voltdesk_backup_age_seconds')) / 600)).toBe(0);
  expect(of.get('voltdesk_backup_age_seconds')).toBeGreaterThanOrEqual(60);
  expect(headers['cache-control']).toBe('no-store');
});

test('counts the requests up to each bound, however long they took', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  metricsRoute(app, testSettings({ METRICS: 'yes' }), async () => VITALS);
  app.get('/took/:milliseconds', async ({ params }, reply) => {
    Object.defineProperty(reply, 'elapsedTime', { value: Number((params as { milliseconds: string }).milliseconds) });
    return {};
  });
  for (const milliseconds of [50, 51, 250, 1000, 5001, 30_000, 30_001, 100_000])
    await app.inject(`/took/${milliseconds}`);
  const { body } = await app.inject('/metrics');
  const told = [...body.matchAll(/^voltdesk_http_request_duration_seconds_?(.*) (\S+)$/gm)].map(([, name, value]) => [
    name?.replace(/^bucket\{le="(.*)"\}$/, '$1'),
    Number(value),
  ]);
  expect(told).toEqual([
    ['0.05', 1],
    ['0.25', 3],
    ['1', 4],
    ['5', 4],
    ['30', 6],
    ['+Inf', 8],
    ['sum', 166.353],
    ['count', 8],
  ]);
  expect(body).toContain('voltdesk_http_requests_total{method="GET",route="/took/:milliseconds",status="200"} 8\n');
});

test('exports the vitals it knows, and omits those it does not', async () => {
  const whole: Vitals = { ...VITALS, databaseSize: 3, picturesWaiting: 4, problem: 'away' };
  const gauges = async (vitals: Vitals) => {
    const { of } = await (await measured(vitals)).figures();
    return Object.fromEntries([...of].filter(([name]) => !/http|sign_ins/.test(name)));
  };
  const memory = { process_resident_memory_bytes: expect.any(Number) };
  const since = { process_start_time_seconds: Date.UTC(2026, 10, 20, 10) / 1000 };
  const disk = { voltdesk_disk_free_bytes: 1, voltdesk_disk_size_bytes: 2 };
  expect(await gauges(VITALS)).toEqual({ voltdesk_ready: 1, ...disk, ...memory, ...since });
  expect(await gauges(whole)).toEqual({
    voltdesk_ready: 0,
    ...disk,
    voltdesk_database_size_bytes: 3,
    voltdesk_pictures_waiting: 4,
    ...memory,
    ...since,
  });
});

test('names the type of every metric', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  metricsRoute(app, testSettings({ METRICS: 'yes' }), async () => VITALS);
  const { body } = await app.inject('/metrics');
  const types = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]);
  expect(types).toEqual([
    ['voltdesk_http_requests_total', 'counter'],
    ['voltdesk_sign_ins_total', 'counter'],
    ['voltdesk_http_request_duration_seconds', 'histogram'],
    ['voltdesk_ready', 'gauge'],
    ['voltdesk_disk_free_bytes', 'gauge'],
    ['voltdesk_disk_size_bytes', 'gauge'],
    ['process_resident_memory_bytes', 'gauge'],
    ['process_start_time_seconds', 'gauge'],
  ]);
});
