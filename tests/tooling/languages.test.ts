import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import texts from '../../src/language/de.json' with { type: 'json' };
import { calledName, textOf, type Visited, visitFiles } from './source-texts.ts';

/** Texts that users see are written here. The layers below produce English ones, which `say` translates. */
const SHOWN = ['src/{api,app,features,fields,resource,stores,ui}/**/*.{ts,tsx}'];
/** Sentences produced below and shown. */
const BELOW = ['src/domain/**/*.ts', 'src/offline/**/*.ts', 'server/**/*.ts'];

const german: Readonly<Record<string, string>> = { ...texts.messages, ...texts.sentences };

/** Attributes that users read or hear. */
const READ =
  /^(aria-label|aria-description|title|label|name|placeholder|alt|heading|subtitle|lead|note|message|missing|caption|submitLabel|busyLabel|confirmLabel)$/;

/** The same in every language. */
const OWN_NAMES = new Set(['Voltdesk', 'id']);

/** Sentences whose German version omits a placeholder. */
const SHORTER = new Set(['{0}, and {1} {2} missing or damaged.']);

/** Sentences of a stock back end. */
const STOCK = new Set(['The {0} must not be greater than {1} kilobytes.']);

/** Sentences composed of several texts. */
const COMPOSED = new Set([
  'This needs the role {0}. Yours is {1}. An owner can change it under People.',
  'This needs the role {0}. An owner can change it under People.',
  'Last backup {0}.',
  '{0}, encrypted.',
  'The request is too large. The limit is {0} kB.',
  'The request is too large. The limit is {0} MB.',
  'Too large: {0} kB. The limit is {1} kB.',
  'Too large: {0} MB. The limit is {1} MB.',
  'This device is full: {0} MB needed, {1} MB free.',
  'This device is full: no space for these {0} MB.',
]);

/** A placeholder. The text in the braces of a plural's arm is not one. */
const PLACE = /(?<!(?:zero|one|two|few|many|other|=\d+) )\{(\w+)(?=\}|, plural)/g;

it('translates each text into German only once, because the last of two would win', () => {
  const written = readFileSync('src/language/de.json', 'utf8').match(/^ {4}"(?:[^"\\]|\\.)+":/gm);
  expect(written).toHaveLength(Object.values(texts).flatMap((part) => Object.keys(part)).length);
});

it('translates every text on a screen', () => {
  const bare: string[] = [];
  visitFiles(SHOWN, (visited) => {
    if (isBare(visited)) bare.push(`${visited.place} ${textOf(visited.node)}`);
  });
  expect(bare).toEqual([]);
});

function isBare({ node, above }: Visited): boolean {
  const text = textOf(node);
  if (text === undefined || !/\p{L}{2}/u.test(text.replace(/\{\d\}/g, '')) || OWN_NAMES.has(text)) return false;
  if (node.type === 'JSXText') return true;
  const parent = above.at(-1);
  const holder = parent?.type === 'JSXExpressionContainer' ? above.at(-2) : parent;
  const isRead = holder?.type === 'JSXAttribute' && READ.test(String((holder['name'] as { name: unknown }).name));
  return isRead && /[A-Z ]/.test(text);
}

it('translates no text before the language is known', () => {
  const early: string[] = [];
  visitFiles(SHOWN, ({ node, above, place }) => {
    const isEarly = !above.some(({ type }) => /Function|MethodDefinition/.test(type));
    if (isEarly && /^(t|say|rich)$/.test(calledName(node) ?? '')) early.push(place);
  });
  expect(early).toEqual([]);
});

it('never lower-cases a translated text, because other languages capitalise nouns', () => {
  const lowered: string[] = [];
  visitFiles(SHOWN, ({ node, place }) => {
    if (node.type !== 'MemberExpression' || (node['property'] as { name?: unknown }).name !== 'toLowerCase') return;
    if (/^(t|say)$/.test(calledName(node['object'] as Visited['node']) ?? '')) lowered.push(place);
  });
  expect(lowered).toEqual([]);
});

it('translates exactly the existing messages into German', () => {
  const messages = new Set<string>();
  visitFiles(SHOWN, ({ node }) => {
    if (!/^(t|msg|rich)$/.test(calledName(node) ?? '')) return;
    const text = textOf((node['arguments'] as Visited['node'][])[0]);
    if (text !== undefined) messages.add(text);
  });
  expect(Object.keys(texts.messages).filter((message) => !messages.has(message))).toEqual([]);
  expect([...messages].filter((message) => !Object.hasOwn(texts.messages, message))).toEqual([]);
});

it('keeps the same placeholders in German', () => {
  const different = Object.entries(german).filter(([source, text]) => places(source) !== places(text));
  expect(different.filter(([source]) => !SHORTER.has(source))).toEqual([]);
});

function places(message: string): string {
  const names = [...message.matchAll(PLACE)].map(([, name]) => name);
  return [...new Set(names)].toSorted().join(' ');
}

it('translates into German what the layers below the screens say', () => {
  const said = new Set<string>();
  visitFiles(BELOW, ({ node }) => {
    const text = textOf(node);
    if (text !== undefined) said.add(text);
  });
  const sentences = Object.keys(texts.sentences).filter((sentence) => /[.?!]$/.test(sentence));
  expect(sentences.length).toBeGreaterThan(100);
  expect(
    sentences.filter((sentence) => !said.has(sentence) && !COMPOSED.has(sentence) && !STOCK.has(sentence)),
  ).toEqual([]);
});

it('names exactly the existing choices in German', () => {
  const choices = RESOURCES.flatMap(({ fields }) =>
    fields.flatMap((field) => (field.kind === 'choice' ? field.options : [])),
  );
  const named = Object.keys(texts.choices);
  expect(choices.filter((choice) => !named.includes(choice))).toEqual([]);
  const first = readFileSync('server/migrations/002-first-lookups.ts', 'utf8');
  expect(named.filter((name) => !choices.includes(name) && !first.includes(`'${name}'`))).toEqual([]);
});

it('names definitions in German', () => {
  const unknown: string[] = [];
  visitFiles(['src/domain/resources/*.ts'], ({ node, above, place }) => {
    const property = above.at(-1);
    const key = property?.type === 'Property' ? String((property['key'] as { name?: unknown }).name) : '';
    const text = textOf(node);
    const isName =
      /^(label|one|many|list|deleteAs)$/.test(key) && property?.['value'] === node && !text?.startsWith('/');
    if (isName && text !== undefined && !Object.hasOwn(german, text)) unknown.push(`${place} ${text}`);
  });
  expect(unknown).toEqual([]);
});
