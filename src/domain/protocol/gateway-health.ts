import { fieldOf } from '../resource.ts';
import { isKnownKind, resourceOf } from '../resources/index.ts';
import {
  ageText,
  certificateFinding,
  diskFinding,
  type Finding,
  inOrder,
  serverFinding,
  type ServerHealth,
  versionFinding,
} from './health.ts';
import type { Learned } from './read-back/learned.ts';

/** A change whose outcome the back end does not tell, or whose sender has to sign in again. */
export interface ChangeAside {
  readonly kind: string;
  /** What names its record. Empty if nothing does. */
  readonly title: string;
  /** ISO 8601 in UTC. */
  readonly since: string;
  /** Why it waits, in words. */
  readonly message: string;
}

/** What a gateway has learned about its back end, and what waits because of it. */
export interface BackEndHealth {
  /** The back end keeps keys and versions itself. */
  readonly hasKeys?: true;
  readonly learned: Learned;
  /** Requests a minute that it allows one person, if it tells. */
  readonly limit?: number;
  readonly aside: readonly ChangeAside[];
}

type Own = 'version' | 'startedAt' | 'problem' | 'diskFree' | 'diskSize' | 'largestRequest' | 'certificate';

/** The answer of a gateway to `GET /api/health`: records, pictures and backups are its back end's. */
export interface GatewayHealth extends Pick<ServerHealth, Own> {
  readonly backEnd: BackEndHealth;
}

/** Returns the findings about a gateway, problems first. `now` is in epoch milliseconds. */
export function findingsOfGateway(health: GatewayHealth, now: number): readonly Finding[] {
  return inOrder([
    serverFinding(health),
    ...health.backEnd.aside.map((aside) => asideFinding(aside, now)),
    ...habitsOf(health.backEnd).map((text): Finding => ({ subject: 'Back end', state: 'good', text })),
    diskFinding(health),
    certificateFinding(health.certificate, now),
    versionFinding(health, now),
  ]);
}

function asideFinding({ kind, title, since, message }: ChangeAside, now: number): Finding {
  const age = ageText(now - Date.parse(since));
  const name = title === '' ? kindName(kind) : `${kindName(kind)} “${title}”`;
  return { subject: 'Set aside', state: 'warning', text: `${name}, sent ${age}: ${message}` };
}

function kindName(kind: string): string {
  return isKnownKind(kind) ? resourceOf(kind).label.one : 'Image';
}

/** What this back end does otherwise than a stock one, in words. */
function habitsOf({ hasKeys, learned: { files, texts, listLag }, limit }: BackEndHealth): string[] {
  const seen = Object.values(files);
  const rewritten = Object.keys(texts).map(fieldName);
  const habits = [
    ...(hasKeys === true ? ['It keeps keys and versions itself: nothing has to be found out.'] : []),
    ...(seen.some(({ changedFrom }) => changedFrom !== undefined)
      ? ['It stores pictures with other bytes. A record is recognized by its texts and the number of its files.']
      : []),
    ...(seen.some(({ unreadable }) => unreadable === true)
      ? ['Its files cannot be read back. A record is recognized by its texts and the number of its files.']
      : []),
    ...(rewritten.length > 0 ? [`It rewrites texts: ${rewritten.join(', ')}.`] : []),
    ...(listLag === undefined ? [] : [`Its lists show new records after up to ${Math.ceil(listLag / 1000)} s.`]),
    ...(limit === undefined ? [] : [`It allows ${limit} requests a minute. Comparing lists takes at most a third.`]),
  ];
  return habits.length > 0 ? habits : ['Nothing unusual has been seen so far.'];
}

/** `ups.brand` as `Ups Brand`. */
function fieldName(path: string): string {
  const [kind = '', field = ''] = path.split('.');
  const label = isKnownKind(kind) ? fieldOf(resourceOf(kind), field)?.label : undefined;
  return `${kindName(kind)} ${label ?? field}`;
}
