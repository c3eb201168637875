import { type Resource, routesOf, screenOf, textOf, titleOf } from '../../domain/resource.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { siteMeta } from '../../domain/resources/site-meta.ts';

/** Something that can be found: a place to go to, or something to do. */
export interface Find {
  readonly label: string;
  /** What it is, in a word or two. */
  readonly kind: string;
  /** Where it leads; absent for something to do. */
  readonly to?: string;
  readonly run?: () => void;
  /** What is searched, in lower case. */
  readonly text: string;
}

/** How many finds are shown: nobody reads more, and the rest is found by another letter. */
export const MOST_FINDS = 40;

/** What decides which screens there are for somebody. */
interface Rights {
  readonly mayEdit: boolean;
  /** Accounts and sessions are the server's own. */
  readonly own: boolean;
  readonly manages: boolean;
}

/** Every screen of the app by the names that the sidebar gives them. */
export function screenFinds({ mayEdit, own, manages }: Rights): Find[] {
  const places: readonly (readonly [label: string, to: string])[] = [
    ['Dashboard', '/'],
    [siteMeta.label.one, screenOf(siteMeta, siteMeta.only)],
    ['Outbox', '/outbox'],
    ['Change Password', '/pass-change'],
    ...(own ? ([['Devices & sessions', '/sessions']] as const) : []),
    ...(manages
      ? ([
          ['People', '/people'],
          ['Health', '/health'],
        ] as const)
      : []),
    ['About', '/about'],
  ];
  return [
    ...places.map(([label, to]) => find({ label, to, kind: 'Page' })),
    ...RESOURCES.flatMap((resource) => [
      find({ label: resource.label.list, to: routesOf(resource).list, kind: 'List' }),
      ...(mayEdit ? [find({ label: `New ${resource.label.one}`, to: routesOf(resource).create, kind: 'Create' })] : []),
    ]),
  ];
}

/** The records of a list, each by its title, and found by all that the list's columns say. */
export function recordFinds(resource: Resource, rows: readonly Readonly<Record<string, unknown>>[]): Find[] {
  return rows.map((row) => {
    const label = titleOf(resource, row);
    const columns = resource.columns.map(({ field, kind }) => (kind === 'text' ? textOf(row[field]) : ''));
    const to = routesOf(resource).edit(String(row['recordId'] ?? row['id']));
    return {
      label,
      to,
      kind: resource.label.one,
      text: [label, ...columns, resource.label.one].join(' ').toLowerCase(),
    };
  });
}

/** Something to do. */
export function actionFind(label: string, run: () => void): Find {
  return find({ label, run, kind: 'Actions' });
}

/**
 * What holds every word of the query, the best first: words that begin with what was typed before words that merely hold it,
 * and then in the order given. An empty query finds the first ones.
 */
export function search(finds: readonly Find[], query: string): readonly Find[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const whole: Find[] = [];
  const begun: Find[] = [];
  const held: Find[] = [];
  for (const found of finds) {
    if (!words.every((word) => found.text.includes(word))) continue;
    if (found.label.toLowerCase().startsWith(words.join(' '))) whole.push(found);
    else if (words.every((word) => ` ${found.text}`.includes(` ${word}`))) begun.push(found);
    else held.push(found);
    if (whole.length === MOST_FINDS) break;
  }
  return [...whole, ...begun, ...held].slice(0, MOST_FINDS);
}

function find(found: Omit<Find, 'text'>): Find {
  return { ...found, text: `${found.label} ${found.kind}`.toLowerCase() };
}
