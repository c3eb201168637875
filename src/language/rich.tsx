import { Fragment, type ReactNode } from 'react';
import type { NamesOf } from './format.ts';
import { t } from './t.ts';

/** Delimits the placeholder of an element. A control character, which users cannot type. */
const EDGE = '\u0001';

/** Fills elements into a message: `rich('Add the first one, or {link}', { link: <Link … /> })`. */
export function rich<Message extends string>(
  message: Message,
  nodes: Readonly<Record<NamesOf<Message>, ReactNode>>,
): ReactNode {
  const byName = new Map(Object.entries<ReactNode>(nodes));
  const marks = Object.fromEntries([...byName].map(([name, node]) => [name, markOf(name, node)]));
  const fill: (message: string, values: typeof marks) => string = t;
  const parts = fill(message, marks).split(EDGE);
  return parts.map((part, index) => <Fragment key={index}>{index % 2 === 1 ? byName.get(part) : part}</Fragment>);
}

/** Numbers pass through, since they select and fill plurals. */
function markOf(name: string, node: ReactNode): string | number {
  return typeof node === 'number' ? node : EDGE + name + EDGE;
}
