import { readFileSync } from 'node:fs';
import { LIFECYCLE } from '../../src/domain/outbox/lifecycle.ts';

/** Returns the life cycle of a change for the documentation: a diagram and a table, generated from the rules in force. */
function lifecyclePage(): string {
  return ['```mermaid', 'stateDiagram-v2', ...picture(), '```', '', ...table()].join('\n');
}

const BEGIN = '<!-- lifecycle: printed by `npm run lifecycle` -->';
const END = '<!-- end of lifecycle -->';

/** Returns a page's text with the life cycle between its markers. Throws if the markers are missing. */
export function withLifecycle(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`The page lacks "${BEGIN}" or "${END}".`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${lifecyclePage()}\n\n${page.slice(end)}`;
}

/** The edges between two phases, with the events that cause them. An event that keeps the phase is only in the table. */
function picture(): string[] {
  const edges = new Map<string, string[]>();
  for (const [event, { moves }] of Object.entries(LIFECYCLE)) {
    for (const [from, to] of Object.entries(moves).flatMap(([one, others]) => others.map((other) => [one, other]))) {
      const edge = `${from} --> ${to}`;
      if (from !== to) edges.set(edge, [...(edges.get(edge) ?? []), event]);
    }
  }
  const lines = [...edges].map(([edge, events]) => `  ${edge} : ${events.join(', ')}`);
  return ['  [*] --> pending : saved', ...lines, '  done --> [*] : after 30 days'];
}

/** Describes each event by the comment above its rule. Throws if an event has none. */
function described(): (event: string) => string {
  const code = readFileSync(new URL('../../src/domain/outbox/lifecycle.ts', import.meta.url), 'utf8');
  const found = new Map(
    [...code.matchAll(/^ {2}\/\*\* (.+) \*\/\n {2}'?([\w-]+)'?: \{$/gm)].map(([, text = '', event = '']) => [
      event,
      text,
    ]),
  );
  return (event) => {
    const text = found.get(event);
    if (text === undefined) throw new Error(`The event "${event}" has no comment that says what it does.`);
    return text;
  };
}

function table(): string[] {
  const does = described();
  const rows = Object.entries(LIFECYCLE).map(([event, { moves }]) => {
    const from = Object.keys(moves).join(', ');
    const to = [...new Set(Object.values(moves).flat())].join(', ');
    return `| ${event} | ${from} | ${to} | ${does(event)} |`;
  });
  return ['| event | from | to | what it does |', '|---|---|---|---|', ...rows];
}
