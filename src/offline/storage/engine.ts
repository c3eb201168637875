/** Behaviour of a browser engine that feature detection cannot reveal. */
export interface Engine {
  /** False if stored Blobs may come back with 0 bytes. Bytes are then stored as an ArrayBuffer. */
  readonly keepsBlobs: boolean;
  /** True if a page in the back/forward cache keeps its transactions open, which blocks the storage for all tabs. */
  readonly keepsTransactions: boolean;
}

/** Every browser on iOS is WebKit. All Chromium browsers, including Edge, contain "Chrome". */
export function engineOf(userAgent: string): Engine {
  const isWebKit = userAgent.includes('AppleWebKit') && !/Chrome|Chromium/.test(userAgent);
  return { keepsBlobs: !isWebKit, keepsTransactions: isWebKit };
}
