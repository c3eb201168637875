import { expect, test } from 'vitest';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';

test.each([...RESOURCES, siteMeta].map((resource) => [resource.name, resource] as const))(
  'the definition of %s is data: its clone equals it',
  (_, resource) => {
    expect(structuredClone(resource)).toEqual(resource);
  },
);
