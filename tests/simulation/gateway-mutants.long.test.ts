import { PLANTED_GATEWAYS } from './gateway-mutants.ts';
import { areCaughtSomewhere } from './planted.ts';

areCaughtSomewhere(PLANTED_GATEWAYS);
