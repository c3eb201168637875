/** The file is damaged, of another format, or ends its decoder. */
export class PictureFault extends Error {}

/** The picture is valid, but needs more memory than this server allows for one. */
export class PictureTooLarge extends PictureFault {}
