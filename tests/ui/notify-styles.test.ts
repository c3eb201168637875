import { afterEach, expect, test } from 'vitest';
import { adoptNotistackStyles } from '../../src/app/notify-styles.ts';

afterEach(() => {
  document.adoptedStyleSheets = [];
});

test('adds the toast styles beside those of the page, and updates them as notistack writes them', () => {
  const own = new CSSStyleSheet();
  document.adoptedStyleSheets = [own];
  adoptNotistackStyles();
  const [first, second] = document.adoptedStyleSheets;
  expect(first).toBe(own);
  const { firstChild } = Reflect.get(window, '_goober') as { firstChild: { data: string } };
  firstChild.data += '.a { left: 0 }';
  firstChild.data += '.b { left: 0 }';
  expect([...(second?.cssRules ?? [])].map((rule) => (rule as CSSStyleRule).selectorText)).toEqual(['.a', '.b']);
});
