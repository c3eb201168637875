import { RESOURCES } from '../../src/domain/resources/index.ts';
import { walkThrough } from './walk.ts';

const QUICK = ['generators', 'projects', 'street-lights'];

walkThrough(RESOURCES.filter(({ name }) => !QUICK.includes(name)));
