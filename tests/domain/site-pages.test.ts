import { expect, test } from 'vitest';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { badSitePaths, sitePageOf } from '../../src/domain/site-pages.ts';

const SITE = { siteUrl: 'https://www.example.com/shop', sitePaths: '' };
const generators = resourceOf('generators');

test('a record’s page is at the example site’s path, below the address of the site', () => {
  expect(sitePageOf(SITE, generators, 12)).toBe('https://www.example.com/shop/generators/12/');
  expect(sitePageOf(SITE, siteMeta, 1)).toBe('https://www.example.com/shop/contact/');
});

test('there is no page without a site, or for a kind whose path is empty', () => {
  for (const resource of [...RESOURCES, siteMeta]) {
    expect(sitePageOf({ siteUrl: '', sitePaths: 'ups=/ups/{id}' }, resource, 1)).toBeUndefined();
    expect(sitePageOf({ ...SITE, sitePaths: `${resource.name}=` }, resource, 1)).toBeUndefined();
  }
});

test('a path of one’s own holds the id wherever it is named, and leaves other kinds as they are', () => {
  const site = { ...SITE, sitePaths: 'ups=/p?id={id}#u{id}, \n projects=/work' };
  expect(sitePageOf(site, resourceOf('ups'), 7)).toBe('https://www.example.com/shop/p?id=7#u7');
  expect(sitePageOf(site, resourceOf('projects'), 7)).toBe('https://www.example.com/shop/work');
  expect(sitePageOf(site, generators, 7)).toBe('https://www.example.com/shop/generators/7/');
});

test('parts that are no kind with a path are named', () => {
  const text = 'ups=/u/{id}, toys=/t, generators, partners=x, projects=';
  expect(badSitePaths(text, ['ups', 'generators', 'partners', 'projects'])).toEqual([
    'toys=/t',
    'generators',
    'partners=x',
  ]);
});
