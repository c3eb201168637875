import { recordAddress, screenOf } from './resource.ts';
import { siteMeta } from './resources/site-meta.ts';

/** The site-wide settings as those name them who know them by their addresses. */
export const SITE_META = {
  name: siteMeta.name,
  id: siteMeta.only,
  label: siteMeta.label.one,
  path: screenOf(siteMeta, siteMeta.only),
  endpoint: recordAddress(siteMeta, siteMeta.only),
  fields: siteMeta.fields,
} as const;
