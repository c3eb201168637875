import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { only: { type: 'string' }, seconds: { type: 'string', default: '60' } } });

/** `--only a,b`: the rows to measure. Undefined for all. `--seconds n`: how long the server is under load. */
export const only: readonly string[] | undefined = values.only?.split(',');
export const seconds = Number(values.seconds);
