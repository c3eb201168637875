/** What this app knows of browser engines that cannot be found out by trying. */
export interface Engine {
  /** False where stored Blobs have come back with 0 bytes: bytes are then stored as an ArrayBuffer. */
  readonly keepsBlobs: boolean;
  /** True where a page in the back/forward cache keeps its transactions open, which blocks the storage for all tabs. */
  readonly keepsTransactions: boolean;
}

/** Every browser on iOS is WebKit; Chromium's all say "Chrome", Edge's too. */
export function engineOf(userAgent: string): Engine {
  const isWebKit = userAgent.includes('AppleWebKit') && !/Chrome|Chromium/.test(userAgent);
  return { keepsBlobs: !isWebKit, keepsTransactions: isWebKit };
}
