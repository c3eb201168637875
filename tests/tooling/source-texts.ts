import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';

/** A node of a file's syntax tree. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export interface Visited {
  readonly node: Node;
  /** The enclosing nodes, the nearest last. */
  readonly above: readonly Node[];
  /** For readers: "src/ui/button.tsx:12". */
  readonly place: string;
  /** Its source. */
  readonly code: (node: Node) => string;
}

/** Calls `visit` with every node of every file that matches one of the patterns. */
export function visitFiles(patterns: readonly string[], visit: (visited: Visited) => void): void {
  for (const file of patterns.flatMap((pattern) => globSync(pattern)).toSorted()) {
    const source = readFileSync(file, 'utf8');
    const code = (node: Node) => source.slice(node.start, node.end);
    walk(parseSync(file, source).program, [], (node, above) =>
      visit({ node, above, code, place: `${file}:${source.slice(0, node.start).split('\n').length}` }),
    );
  }
}

function walk(value: unknown, above: readonly Node[], visit: (node: Node, above: readonly Node[]) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, above, visit);
  if (!isNode(value)) return;
  visit(value, above);
  for (const child of Object.values(value)) if (typeof child === 'object') walk(child, [...above, value], visit);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The text of a literal, or of a template with its values as {0}, {1} …. Undefined for anything else. */
export function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node?.type === 'JSXText') return String(node['value']).replace(/\s+/g, ' ').trim();
  if (node?.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }, place) => (place === 0 ? '' : `{${place - 1}}`) + value.cooked).join('');
}

/** The name of the plain function that a node calls, such as `t` for `t('Save')`. */
export function calledName(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = node['callee'] as Node;
  return callee.type === 'Identifier' ? String(callee['name']) : undefined;
}
