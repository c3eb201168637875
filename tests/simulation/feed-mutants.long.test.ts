import { PLANTED_FEEDS } from './feed-mutants.ts';
import { areCaughtSomewhere } from './planted.ts';

areCaughtSomewhere(PLANTED_FEEDS);
