import { describe, expect, it } from 'vitest';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { leadingColumn } from '../../src/resource/list/row-size.ts';

describe('the column that opens a record', () => {
  it('is part of the record’s title, even if other columns come before it', () => {
    for (const resource of RESOURCES) expect(resource.title).toContain(leadingColumn(resource)?.field);
    expect(leadingColumn(resourceOf('certifications'))?.field).toBe('name');
  });

  it('is the first text column if none is part of the title', () => {
    const certifications = resourceOf('certifications');
    expect(leadingColumn({ ...certifications, title: ['id'] })?.field).toBe('category');
  });
});
