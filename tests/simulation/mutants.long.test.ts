import { PLANTED_SENDERS } from './mutants.ts';
import { areCaughtSomewhere } from './planted.ts';

areCaughtSomewhere(PLANTED_SENDERS);
