import { PLANTED_GATEWAYS } from './gateway-mutants.ts';
import { areCaughtWhereKnown } from './planted.ts';

areCaughtWhereKnown(PLANTED_GATEWAYS);
