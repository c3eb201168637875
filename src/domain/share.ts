/** The path to which the device's share sheet sends photos (`share_target` in the manifest). The worker receives them. */
export const SHARE_PATH = '/share';

/** The form field that holds them. */
export const SHARE_FIELD = 'photos';

/** The address of the screen after photos could not be kept. */
export const SHARE_FAILED = `${SHARE_PATH}?failed`;
