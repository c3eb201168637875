/** The quota does not fit the change, even with the caches evicted. Sizes are bytes. */
export class StorageFullError extends Error {
  override readonly name = 'StorageFullError';

  /** `available` is set only if the browser reported less than `needed`. A failed write disproves any larger estimate. */
  constructor(needed: number, available?: number) {
    super(`This device is full${available === undefined ? unfit(needed) : sizes(needed, available)}`);
  }
}

function sizes(needed: number, available: number): string {
  return `: ${megabytes(needed)} MB needed, ${megabytes(available)} MB free.`;
}

function unfit(bytes: number): string {
  return bytes === 0 ? '.' : `: no space for these ${megabytes(bytes)} MB.`;
}

/** The storage does not respond, usually because another tab blocks it. Nothing was written. */
export class StorageStalledError extends Error {
  override readonly name = 'StorageStalledError';

  constructor() {
    super('This device’s storage isn’t responding. Close the other Voltdesk tabs, then try again.');
  }
}

/** The user whose change it is has logged out, perhaps in another tab. Nothing was written. */
export class LoggedOutError extends Error {
  override readonly name = 'LoggedOutError';

  constructor() {
    super('You are logged out.');
  }
}

/** A picked file is no longer readable, or is empty. The user must pick it again. */
export class FileUnreadableError extends Error {
  override readonly name = 'FileUnreadableError';

  constructor(fileName: string, cause?: unknown) {
    super(`“${fileName}” can’t be read. Please choose it again.`, { cause });
  }
}

/** A stored file is missing or damaged. The user must attach it again. */
export class FileLostError extends Error {
  override readonly name = 'FileLostError';

  constructor(fileName: string) {
    super(`“${fileName}” was lost on this device. Please attach it again.`);
  }
}

/** An invalid or unusable queue file. The message says why. */
export class QueueFileError extends Error {
  override readonly name = 'QueueFileError';
}

/** One decimal place, and never 0 for a non-zero size. */
function megabytes(bytes: number): string {
  const exact = bytes / 1024 / 1024;
  return (bytes > 0 ? Math.max(0.1, exact) : exact).toFixed(1);
}
