import { isValue } from '../../domain/fields.ts';
import { fieldOf, type Resource, type ResourceName, routesOf, screenOf, textOf } from '../../domain/resource.ts';
import { TRASH_ROUTE } from '../../domain/protocol/trash.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { siteMeta } from '../../domain/resources/site-meta.ts';
import { valueWords } from '../../fields/value-words.ts';
import { msg, say, sayOf, t } from '../../language/t.ts';
import { comparable } from '../../resource/comparable.ts';
import { sayTitle } from '../../resource/say-title.ts';

/** A searchable item: a destination or an action. */
export interface Find {
  readonly label: string;
  /** The category, in a word or two. */
  readonly kind: string;
  /** The destination. Undefined for an action. */
  readonly to?: string;
  readonly run?: () => void;
  /** The resource it belongs to. */
  readonly resource?: ResourceName;
  /** Facts people search for besides the name, such as "20 kVA · Open". */
  readonly facts?: string;
  /** The searched text, as `comparable`. */
  readonly text: string;
}

/** Maximum number of results. Nobody reads more, and another letter narrows them down. */
export const MOST_FINDS = 40;

/** Maximum number of facts next to a name. */
const MOST_FACTS = 2;

/** The rights that decide which screens a user sees. */
interface Rights {
  readonly mayEdit: boolean;
  /** The server has its own accounts and sessions. */
  readonly own: boolean;
  readonly manages: boolean;
  /** The server keeps deleted records. */
  readonly keepsDeleted?: boolean;
}

/** Every screen of the app, by its name in the sidebar. */
export function screenFinds({ mayEdit, own, manages, keepsDeleted = false }: Rights): Find[] {
  const places: readonly (readonly [label: string, to: string, synonyms: string])[] = [
    [t('Dashboard'), '/', t('home start')],
    [say(siteMeta.label.one), screenOf(siteMeta, siteMeta.only), t('settings title phone address')],
    [t('Outbox'), '/outbox', t('queue waiting pending sync receipts')],
    [t('Change Password'), '/pass-change', t('security')],
    ...(own
      ? ([
          [t('Devices & sessions'), '/sessions', t('signed in security log out')],
          [t('Security'), '/security', t('passkey authenticator second factor recovery codes')],
        ] as const)
      : []),
    ...(manages
      ? ([
          [t('People'), '/people', t('team users roles invite')],
          [t('Public site'), '/public-site', t('website content api token webhook')],
          [t('Backups'), '/backups', t('backup restore download rehearsal')],
          [t('Health'), '/health', t('disk backup status')],
        ] as const)
      : []),
    ...(keepsDeleted ? ([[t('Trash'), TRASH_ROUTE, t('deleted restore bin undelete')]] as const) : []),
    [t('Preferences'), '/preferences', t('settings density compact gloves left-handed start')],
    [t('About'), '/about', t('version')],
  ];
  return [
    ...places.map(([label, to, synonyms]) => find({ label, to, kind: t('Page') }, synonyms)),
    ...RESOURCES.flatMap((resource) => screensOf(resource, mayEdit)),
  ];
}

/** A resource's list and its form for a new record. Both "add generator" and "new generator" find the form. */
function screensOf(resource: Resource, mayEdit: boolean): Find[] {
  const { name, label, path } = resource;
  const { list, create } = routesOf(resource);
  const all = find(
    { label: say(label.list), to: list, kind: t('List'), resource: name },
    `${t('show')} ${path} ${say(label.many)}`,
  );
  const synonyms = `${t('add make')} ${path} ${say(label.noun.one)}`;
  return mayEdit
    ? [
        all,
        find({ label: sayOf(msg('New {what}'), label.one), to: create, kind: t('Create'), resource: name }, synonyms),
      ]
    : [all];
}

/** The records of a list, named by their titles and searchable by all listed values. */
export function recordFinds(resource: Resource, rows: readonly Readonly<Record<string, unknown>>[]): Find[] {
  return rows.map((row) => {
    const label = sayTitle(resource, row);
    const told = resource.fields.filter(isValue).map(({ name }) => textOf(row[name]));
    const facts = resource.facts.map((name) => valueWords(fieldOf(resource, name), textOf(row[name])));
    const to = routesOf(resource).edit(String(row['recordId'] ?? row['id']));
    return {
      label,
      to,
      kind: say(resource.label.one),
      resource: resource.name,
      facts: facts.filter(Boolean).slice(0, MOST_FACTS).join(' · '),
      text: comparable([label, ...told, ...facts, say(resource.label.one)].join(' ')),
    };
  });
}

/** Makes an action. */
export function actionFind(label: string, run: () => void, synonyms = ''): Find {
  return find({ label, run, kind: t('Actions') }, synonyms);
}

/** Records worked on last, which come before all others. */
export function recentFinds(
  worked: readonly { readonly label: string; readonly to: string; readonly resource?: ResourceName }[],
): Find[] {
  return worked.map((one) => find({ ...one, kind: t('Recent') }));
}

/**
 * Returns the items that contain every word of the query: first labels that start with the query, then matches at word
 * starts, then matches inside words, each in the given order. An empty query returns the first items.
 */
export function search(finds: readonly Find[], query: string): readonly Find[] {
  const words = comparable(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  const whole: Find[] = [];
  const begun: Find[] = [];
  const held: Find[] = [];
  for (const found of finds) {
    if (!words.every((word) => found.text.includes(word))) continue;
    if (comparable(found.label).startsWith(words.join(' '))) whole.push(found);
    else if (words.every((word) => ` ${found.text}`.includes(` ${word}`))) begun.push(found);
    else held.push(found);
    if (whole.length === MOST_FINDS) break;
  }
  return [...whole, ...begun, ...held].slice(0, MOST_FINDS);
}

function find(found: Omit<Find, 'text'>, synonyms = ''): Find {
  return { ...found, text: comparable(`${found.label} ${found.kind} ${synonyms}`) };
}
