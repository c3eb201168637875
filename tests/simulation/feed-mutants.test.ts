import { PLANTED_FEEDS } from './feed-mutants.ts';
import { areCaughtWhereKnown } from './planted.ts';

areCaughtWhereKnown(PLANTED_FEEDS);
