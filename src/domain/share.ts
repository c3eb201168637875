/** Where the device's share sheet sends photos (`share_target` in the manifest); the worker takes them in. */
export const SHARE_PATH = '/share';

/** The field of the form in which they come. */
export const SHARE_FIELD = 'photos';
