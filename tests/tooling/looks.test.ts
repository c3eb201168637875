import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { theme } from '../../src/app/theme/theme.ts';
import { MOTION } from '../../src/ui/tokens.ts';

/** The rules of docs/decisions/0040-type-is-the-systems.md, checked for every style in `src`. */
const SIZES = ['0.6875rem', '0.75rem', '0.8125rem', '0.875rem', '0.9375rem', '1rem', '1.0625rem', '1.25rem'];
const WEIGHTS = ['400', '500', '600', '700'];
/** Milliseconds. */
const LONGEST = 200;

/** Indicates that something is running, or for how long it stays. It explains no movement. */
const LASTING = /infinite|\b(arrive|run-out|not-there-yet)\b/;

interface Said {
  readonly place: string;
  readonly value: string;
}

function sources(pattern: string) {
  return globSync(pattern)
    .toSorted()
    .map((file) => ({ file, source: readFileSync(file, 'utf8') }));
}

/** Every value of a CSS property, in style sheets and in style objects. */
function valuesOf(...properties: readonly string[]): Said[] {
  const names = properties.flatMap((name) => [
    name,
    name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  ]);
  const written = new RegExp(`(?<![\\w-])(?:${names.join('|')})['"]?:\\s*([^;\\n]+)`, 'g');
  return sources('src/**/*.{css,ts,tsx}').flatMap(({ file, source }) =>
    [...source.matchAll(written)].map(({ index, 1: value = '' }) => ({
      place: `${file}:${source.slice(0, index).split('\n').length}`,
      value,
    })),
  );
}

/** The longest time in a value, in milliseconds. */
function longestIn(value: string): number {
  const times = [...value.matchAll(/(?<![\w.])(\d*\.?\d+)(ms|s)\b/g)];
  return Math.max(0, ...times.map(([, number, unit]) => Number(number) * (unit === 's' ? 1000 : 1)));
}

test('ends every movement within 200 ms', () => {
  const moves = valuesOf('transition', 'transition-duration', 'animation', 'animation-duration');
  expect(moves.length).toBeGreaterThan(10);
  expect(moves.filter(({ value }) => !LASTING.test(value) && longestIn(value) > LONGEST)).toEqual([]);
});

test('ends movements of libraries within 200 ms too: dialogs, menus, toasts and dragging', () => {
  const { duration, getAutoHeightDuration } = theme.transitions;
  expect(Object.entries(duration).filter(([, time]) => time > LONGEST)).toEqual([]);
  expect(getAutoHeightDuration(2000)).toBeLessThanOrEqual(LONGEST);
  expect(MOTION).toBeLessThanOrEqual(LONGEST);
  const said = sources('src/**/*.tsx').flatMap(({ file, source }) =>
    [...source.matchAll(/(?:useSortable\(|<SnackbarProvider)[^]*?\n\s*(?:\}\)|\/>)/g)].map(
      ([call]) => `${file} ${call.includes('MOTION')}`,
    ),
  );
  expect(said).toEqual([
    'src/app/notify.tsx true',
    'src/fields/photos/sortable-photo.tsx true',
    'src/resource/sliders/slide-line.tsx true',
  ]);
});

test('gives texts the sizes and weights of one scale', () => {
  // icons have sizes in numbers; a title grows with the window
  const sizes = valuesOf('font-size').flatMap(({ place, value }) =>
    [...value.matchAll(/^'?([\d.]+r?em)\b/g)].map(([, size = '']) => ({ place, value: size })),
  );
  expect(sizes.length).toBeGreaterThan(50);
  expect(sizes.filter(({ value }) => !SIZES.includes(value))).toEqual([]);
  const weights = valuesOf('font-weight').map(({ place, value }) => ({ place, value: value.slice(0, 3) }));
  expect(weights.length).toBeGreaterThan(50);
  expect(weights.filter(({ value }) => !WEIGHTS.includes(value))).toEqual([]);
});

test('has a component that sets every class and attribute named in a style sheet', () => {
  const code = sources('src/**/*.{ts,tsx}').map(({ source }) => source.replaceAll(/^import .*$/gm, ''));
  const written = [...code, readFileSync('index.html', 'utf8')].join('\n');
  const named = sources('src/**/*.css').flatMap(({ file, source }) =>
    [...source.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/[^{}]+(?=\{)/g)]
      .flatMap(([selector]) => [...selector.matchAll(/\.([a-z][\w-]*)|\[(data-[\w-]+)/g)])
      .map(([, className, attribute]) => ({ file, name: className ?? attribute ?? '' })),
  );
  expect(named.length).toBeGreaterThan(200);
  const isWritten = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(written);
  // as in `field-${kind}`
  const isComposed = (name: string) =>
    name.includes('-') && written.includes(`${name.slice(0, name.lastIndexOf('-') + 1)}\${`);
  const isOfLibrary = (name: string) => /^(Mui|notistack)/.test(name);
  expect(named.filter(({ name }) => !isOfLibrary(name) && !isWritten(name) && !isComposed(name))).toEqual([]);
});

test('uses icons of one family: Material’s, outlined wherever that exists', () => {
  const signs = sources('src/**/*.{ts,tsx}').flatMap(({ file, source }) =>
    [...source.matchAll(/'@mui\/icons-material\/(\w+)'/g)].map(([, name = '']) => ({ file, name })),
  );
  expect(signs.length).toBeGreaterThan(50);
  const strangers = signs.filter(
    ({ name }) =>
      !name.endsWith('Outlined') &&
      (/(Rounded|Sharp|TwoTone)$/.test(name) || shapeOf(name) !== shapeOf(`${name}Outlined`)),
  );
  expect(strangers).toEqual([]);
  const others = /from '[^']*(lucide|tabler|phosphor|awesome|feather|react-icons|heroicons)/;
  expect(sources('src/**/*.{ts,tsx}').filter(({ source }) => others.test(source))).toEqual([]);
});

/** How an icon of the family is drawn. */
function shapeOf(name: string): string {
  const source = readFileSync(`node_modules/@mui/icons-material/${name}.js`, 'utf8');
  return [...source.matchAll(/\bd: "([^"]+)"/g)].map(([, path]) => path).join();
}
