/** There is no room for the change, also after the cache was given up. Sizes are bytes. */
export class StorageFullError extends Error {
  override readonly name = 'StorageFullError';

  /** `available` where the browser has told of less than is needed: a number that a failed write has proved wrong is not said. */
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

/** The storage does not answer: as a rule another tab holds it. What was to be written was not. */
export class StorageStalledError extends Error {
  override readonly name = 'StorageStalledError';

  constructor() {
    super('This device’s storage isn’t responding. Close the other Voltdesk tabs, then try again.');
  }
}

/** A picked file can no longer be read, or has no bytes. It has to be picked again. */
export class FileUnreadableError extends Error {
  override readonly name = 'FileUnreadableError';

  constructor(fileName: string, cause?: unknown) {
    super(`“${fileName}” can’t be read. Please choose it again.`, { cause });
  }
}

/** A stored file's bytes are not what was saved. It has to be attached again. */
export class FileLostError extends Error {
  override readonly name = 'FileLostError';

  constructor(fileName: string) {
    super(`“${fileName}” was lost on this device. Please attach it again.`);
  }
}

/** A file that is no queue file, or one that cannot be used; the message says why. */
export class QueueFileError extends Error {
  override readonly name = 'QueueFileError';
}

/** With one place, and never as nothing where there is something. */
function megabytes(bytes: number): string {
  const exact = bytes / 1024 / 1024;
  return (bytes > 0 ? Math.max(0.1, exact) : exact).toFixed(1);
}
