/**
 * notistack writes its few styles through goober, which puts them into a `<style>` element by `innerHTML`. Neither is allowed
 * here (`style-src` without 'unsafe-inline', `require-trusted-types-for 'script'`). goober takes an element from
 * `window._goober` where there is one (goober/src/core/get-sheet.js): this one hands the text to a constructed style sheet,
 * which the policy permits. To be called before notistack's code is evaluated, which writes its first styles.
 */
export function adoptNotistackStyles(): void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  let text = '';
  const data = {
    get data() {
      return text;
    },
    set data(css: string) {
      text = css;
      sheet.replaceSync(css);
    },
  };
  Object.assign(window, { _goober: { firstChild: data, parentNode: document.head } });
}
