declare global {
  interface Window {
    /** The errors and warnings of this page since it was loaded. */
    complaints: string[];
  }
}

/**
 * Runs in every page before the page's own scripts. Records what a person would find in the console, the same way in every
 * engine.
 */
function noteComplaints(): void {
  const complaints: string[] = [];
  window.complaints = complaints;
  for (const level of ['error', 'warn'] as const) {
    const { [level]: say } = console;
    console[level] = (...words: unknown[]) => {
      complaints.push(`console.${level}: ${words.map(String).join(' ')}`);
      say(...words);
    };
  }
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
    complaints.push(`forbidden by ${violatedDirective}: ${blockedURI} (${sourceFile}:${lineNumber})`);
  });
  addEventListener('unhandledrejection', ({ reason }) => complaints.push(`unhandled: ${String(reason)}`));
  const noteError = (event: Event) => {
    if (event instanceof ErrorEvent) complaints.push(`error: ${event.message}`);
    // A preload is a hint. Firefox reports an error for one whose module is already loaded, without any visible effect.
    else if (event.target instanceof Element && !event.target.matches('[rel=modulepreload]'))
      complaints.push(`not loaded: ${event.target.outerHTML.slice(0, 200)}`);
  };
  // Captures the event, because a load error of a picture or script does not bubble.
  addEventListener('error', noteError, true);
}

/** The text of this script. */
export const WITNESS = `(${noteComplaints.toString()})();`;
