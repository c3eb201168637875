/**
 * Redirects notistack's styles to a constructed style sheet. notistack writes them through goober, which sets the
 * `innerHTML` of a `<style>` element. The policy forbids both (`style-src` without 'unsafe-inline',
 * `require-trusted-types-for 'script'`) but permits constructed style sheets. goober uses the element in `window._goober` if
 * there is one (goober/src/core/get-sheet.js). Must be called before notistack's code is evaluated, because that writes its
 * first styles.
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
