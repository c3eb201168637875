import { configure, getConfig, prettyDOM } from '@testing-library/dom';

configure({
  // Screens load lazily, and a busy machine is slow, not wrong. As patient as `expect.poll` in vitest.config.ts.
  asyncUtilTimeout: 120_000,
  // A wait asks again at every change of the page. It prints the page once, when it gives up: printing costs more than asking.
  getElementError(message, container) {
    const page = isWaiting() ? undefined : prettyDOM(container);
    const error = new Error([message, page].filter(Boolean).join('\n\n'));
    error.name = 'TestingLibraryElementError';
    return error;
  },
});

/** Whether `waitFor` or a `findBy` query is asking, which sets this while it does. */
function isWaiting(): boolean {
  const { _disableExpensiveErrorDiagnostics } = getConfig() as { _disableExpensiveErrorDiagnostics?: boolean };
  return _disableExpensiveErrorDiagnostics === true;
}
