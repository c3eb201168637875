import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FACTOR_ASKED, PASSKEY_SIGN_IN_PATH, SECOND_STEP_PATH } from '../../src/domain/protocol/second-factor.ts';
import { isLocal } from '../protocol/health.ts';
import { notFound } from '../errors/refusal.ts';
import { isSame } from '../security/same.ts';
import { credentialsOf } from '../security/session.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vitals } from './health.ts';

/** Upper bounds of the duration buckets, in seconds. */
const DURATIONS = [0.05, 0.25, 1, 5, 30];

/** The sign-in routes. */
const SIGN_INS: ReadonlySet<string> = new Set(
  ['/api/auth/login', SECOND_STEP_PATH, PASSKEY_SIGN_IN_PATH].map((path) => `POST ${path}`),
);

/** Counts since the start: requests by route and status, sign-ins by outcome, durations. */
interface Counts {
  readonly requests: Map<string, number>;
  readonly signIns: Map<string, number>;
  readonly durations: number[];
  seconds: number;
}

/**
 * `GET /metrics` in Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/), for programs on
 * this machine and for requests with the token from the settings. For others there is nothing at this address. Counts the requests
 * of all routes of `counted`, also of those that were registered before.
 */
export function metricsRoute(
  app: FastifyInstance,
  settings: Settings,
  look: () => Promise<Vitals>,
  counted: FastifyInstance = app,
): void {
  if (!settings.metrics && settings.metricsToken === '') return;
  const counts: Counts = { requests: new Map(), signIns: new Map(), durations: [], seconds: 0 };
  counted.addHook('onResponse', async (request, reply) => count(counts, request, reply.statusCode, reply.elapsedTime));
  app.get('/metrics', { logLevel: 'silent' }, async (request, reply) => {
    if (!mayRead(request, settings)) throw notFound('There is nothing at this address.');
    reply.header('Cache-Control', 'no-store').type('text/plain; version=0.0.4; charset=utf-8');
    return [...countLines(counts), ...(await gaugeLines(look))].join('\n').concat('\n');
  });
}

function mayRead(request: FastifyRequest, { metrics, metricsToken }: Settings): boolean {
  if (metricsToken !== '' && isSame(credentialsOf(request).token, metricsToken)) return true;
  return metrics && isLocal(request);
}

/** Counts by route rather than by address, because a stranger could request any number of addresses. */
function count(counts: Counts, { method, routeOptions }: FastifyRequest, status: number, milliseconds: number): void {
  const route = routeOptions.url ?? 'the app';
  add(counts.requests, labels({ method, route, status: String(status) }));
  if (SIGN_INS.has(`${method} ${route}`)) add(counts.signIns, labels({ result: outcomeOf(status) }));
  const at = DURATIONS.findIndex((bound) => milliseconds / 1000 <= bound);
  const place = at === -1 ? DURATIONS.length : at;
  counts.durations[place] = (counts.durations[place] ?? 0) + 1;
  counts.seconds += milliseconds / 1000;
}

function outcomeOf(status: number): string {
  if (status === FACTOR_ASKED) return 'second-factor-asked';
  if (status < 300) return 'accepted';
  return status === 429 ? 'limited' : 'refused';
}

function add(counter: Map<string, number>, key: string): void {
  counter.set(key, (counter.get(key) ?? 0) + 1);
}

function labels(pairs: Readonly<Record<string, string>>): string {
  const escaped = Object.entries(pairs).map(([name, value]) => `${name}="${value.replaceAll(/["\\\n]/g, '_')}"`);
  return `{${escaped.join(',')}}`;
}

function countLines({ requests, signIns, durations, seconds }: Counts): string[] {
  const duration = 'voltdesk_http_request_duration_seconds';
  const upTo = (place: number) => durations.slice(0, place + 1).reduce((sum, one = 0) => sum + one, 0);
  return [
    ...head('voltdesk_http_requests_total', 'counter', 'Answered requests.'),
    ...[...requests].map(([key, value]) => `voltdesk_http_requests_total${key} ${value}`),
    ...head('voltdesk_sign_ins_total', 'counter', 'Sign-in attempts, by outcome.'),
    ...[...signIns].map(([key, value]) => `voltdesk_sign_ins_total${key} ${value}`),
    ...head(duration, 'histogram', 'Seconds from the first byte of a request to the last of its answer.'),
    ...DURATIONS.map((bound, place) => `${duration}_bucket{le="${bound}"} ${upTo(place)}`),
    `${duration}_bucket{le="+Inf"} ${upTo(DURATIONS.length)}`,
    `${duration}_sum ${seconds}`,
    `${duration}_count ${upTo(DURATIONS.length)}`,
  ];
}

async function gaugeLines(look: () => Promise<Vitals>): Promise<string[]> {
  const health = await look();
  const at = health.backup?.at;
  const validUntil = health.certificate?.validUntil;
  const gauges: readonly (readonly [string, string, number | undefined])[] = [
    ['voltdesk_ready', 'Whether the server can work: 1 or 0.', health.problem === undefined ? 1 : 0],
    ['voltdesk_disk_free_bytes', 'Free space on the disk of the data folder.', health.diskFree],
    ['voltdesk_disk_size_bytes', 'Size of that disk.', health.diskSize],
    ['voltdesk_database_size_bytes', 'Size of the database.', health.databaseSize],
    ['voltdesk_pictures_waiting', 'Pictures whose smaller sizes are not ready yet.', health.picturesWaiting],
    [
      'voltdesk_backup_age_seconds',
      'Seconds since the newest backup.',
      at === undefined ? undefined : secondsSince(at),
    ],
    [
      'voltdesk_certificate_end_seconds',
      'Seconds until the certificate expires.',
      validUntil === undefined ? undefined : -secondsSince(validUntil),
    ],
    ['process_resident_memory_bytes', 'Memory of the process.', process.memoryUsage.rss()],
    ['process_start_time_seconds', 'Start of the process, in seconds since 1970.', Date.parse(health.startedAt) / 1000],
  ];
  return gauges.flatMap(([name, help, value]) =>
    value === undefined ? [] : [...head(name, 'gauge', help), `${name} ${value}`],
  );
}

function secondsSince(time: string): number {
  return Math.round((Date.now() - Date.parse(time)) / 1000);
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
