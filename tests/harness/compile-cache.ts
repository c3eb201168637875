import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Where Node keeps compiled modules, if `NODE_COMPILE_CACHE` names it. Test servers and the processes of test runners load the
 * same modules again and again: a third less computing for each.
 */
export const COMPILE_CACHE = join(tmpdir(), 'voltdesk-compile-cache');
