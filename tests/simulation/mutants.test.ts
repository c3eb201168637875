import { PLANTED_SENDERS } from './mutants.ts';
import { areCaughtWhereKnown } from './planted.ts';

areCaughtWhereKnown(PLANTED_SENDERS);
