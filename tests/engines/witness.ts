declare global {
  interface Window {
    /** What this page has complained about since it was loaded. */
    complaints: string[];
  }
}

/** Runs in every page before its own scripts: notes what a person would find in the console, in every engine alike. */
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
    // A preload is a hint. Firefox tells an error of one whose module is there already, and nobody sees it.
    else if (event.target instanceof Element && !event.target.matches('[rel=modulepreload]'))
      complaints.push(`not loaded: ${event.target.outerHTML.slice(0, 200)}`);
  };
  // Capturing, since a picture or a script that cannot be loaded tells nobody above it.
  addEventListener('error', noteError, true);
}

/** The text of the script that does so. */
export const WITNESS = `(${noteComplaints.toString()})();`;
