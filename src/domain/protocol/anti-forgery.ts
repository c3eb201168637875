/** The cookie that a server gives each browser, and that each write gives back in a header. */
export const ANTI_FORGERY_COOKIE = 'XSRF-TOKEN';
