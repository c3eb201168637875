import { resourceOf } from '../../src/domain/resources/index.ts';
import { walkThrough } from './walk.ts';

// a form with every kind of field, one that depends on nothing, and one with texts of its own
walkThrough([resourceOf('generators'), resourceOf('projects'), resourceOf('street-lights')]);
