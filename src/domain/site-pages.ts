import type { AnyResource, AnyResourceName } from './resource.ts';

/** Where the public site is, as the settings say. Empty texts mean "not set". */
export interface SiteSettings {
  /** The address of its start, without a slash at the end. */
  readonly siteUrl: string;
  /** Paths that differ from those of `examples/site`: `generators=/products/{id}, partners=`. */
  readonly sitePaths: string;
}

/** Kinds that the example site shows together on one page. Records of all others have a page of their own. */
const TOGETHER: Readonly<Partial<Record<AnyResourceName, string>>> = {
  sliders: '/#{id}',
  partners: '/partners/#{id}',
  certifications: '/certifications/#{id}',
  'about-items': '/about/#{id}',
  'site-meta': '/contact/',
};

/** The address of a record's page on the public site. Undefined without a site, or if the kind has no page there. */
export function sitePageOf(
  { siteUrl, sitePaths }: SiteSettings,
  { name }: Pick<AnyResource, 'name'>,
  id: number,
): string | undefined {
  if (siteUrl === '') return undefined;
  const path = readSitePaths(sitePaths).get(name) ?? TOGETHER[name] ?? `/${name}/{id}/`;
  return path === '' ? undefined : siteUrl + path.replaceAll('{id}', String(id));
}

/** Paths by kind, as far as they can be read. An empty path means that the kind has no page. */
function readSitePaths(text: string): ReadonlyMap<string, string> {
  return new Map(
    partsOf(text)
      .map(readPart)
      .filter((pair) => pair !== undefined),
  );
}

/** Parts of the setting that cannot be read: not a known kind, an equals sign, and a path or nothing. */
export function badSitePaths(text: string, kinds: readonly string[]): string[] {
  return partsOf(text).filter((part) => !kinds.includes(readPart(part)?.[0] ?? ''));
}

function partsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

function readPart(part: string): [string, string] | undefined {
  const [, kind, path] = /^([\w-]+)=(\/.*)?$/.exec(part) ?? [];
  return kind === undefined ? undefined : [kind, path ?? ''];
}
