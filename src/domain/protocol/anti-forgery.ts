/** The cookie that a server sets in each browser. Each write returns it in a header. */
export const ANTI_FORGERY_COOKIE = 'XSRF-TOKEN';
