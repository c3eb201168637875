import { html, slug } from './html.js';
import { PRODUCTS } from './kinds.js';

/** Products on one page of a list. */
const PAGE_SIZE = 48;

/** Every page of the site, by its path. `local` turns the address of a stored file into that of the site's copy. */
export function pagesOf(content, local) {
  const site = { ...content.site, local };
  const kinds = Object.keys(PRODUCTS).filter((kind) => content[kind].length > 0);
  const pages = new Map();
  const add = (path, title, body, description = site.title) =>
    pages.set(path, String(layout({ site, kinds, path, title, body, description })));
  add('/', site.title, home(content, kinds, local));
  for (const kind of kinds) addProducts(add, kind, content[kind], local);
  const addGrid = (path, title, cards) => add(path, title, html`<h1>${title}</h1><ul class="grid">${cards}</ul>`);
  const projects = content.projects.map((one) => projectCard(one, local));
  addGrid('/projects/', 'Projects', projects);
  for (const project of content.projects)
    add(projectPath(project), project.projectName, projectPage(project, local), project.description);
  const partners = content.partners.map((one) => namedCard(one, local, one.link));
  addGrid('/partners/', 'Partners', partners);
  add('/certifications/', 'Certifications', certifications(content.certifications, local));
  const about = content['about-items'].map((one) => namedCard(one, local));
  addGrid('/about/', 'About us', about);
  add('/contact/', 'Contact', contact(site));
  add(
    '/404.html',
    'Not found',
    html`<h1>Not found</h1><p>This page does not exist. <a href="/">Back to the start</a></p>`,
  );
  return pages;
}

const MORE = {
  '/projects/': 'Projects',
  '/partners/': 'Partners',
  '/certifications/': 'Certifications',
  '/about/': 'About',
  '/contact/': 'Contact',
};

function layout({ site, kinds, path, title, body, description }) {
  const links = { ...Object.fromEntries(kinds.map((kind) => [`/${kind}/`, PRODUCTS[kind].title])), ...MORE };
  const current = (to) => (path.startsWith(to) ? html` aria-current="page"` : '');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${path === '/' ? title : `${title} · ${site.title}`}</title>
<meta name="description" content="${String(description ?? '').slice(0, 160)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><a class="brand" href="/">${site.title}</a>
<nav aria-label="Main">${Object.entries(links).map(([to, name]) => html`<a href="${to}"${current(to)}>${name}</a>`)}</nav></header>
<main id="main">${body}</main>
<footer><p>${site.title} · ${site.address}</p><p>${phoneLink(site)} · ${mailLink(site)}</p></footer>
</body>
</html>
`;
}

function home(content, kinds, local) {
  const slides = content.sliders.map(
    ({ id, text, image }, index) =>
      html`<figure id="${id}">${picture(image, text, local, { width: 1200, eager: index === 0 })}<figcaption>${text}</figcaption></figure>`,
  );
  return html`<h1 class="unseen">${content.site.title}</h1>
<div class="slides" role="region" aria-label="Highlights" tabindex="0">${slides}</div>
<h2>Products</h2>
<ul class="grid">${kinds.map((kind) => kindCard(kind, content[kind], local))}</ul>
<h2>Latest projects</h2>
<ul class="grid">${content.projects.slice(0, 4).map((one) => projectCard(one, local))}</ul>`;
}

function kindCard(kind, items, local) {
  const { title } = PRODUCTS[kind];
  const pictured = items.find(({ images }) => images.length > 0);
  return card(`/${kind}/`, title, countOf(items), picture(pictured?.images[0], '', local));
}

/** The list of a kind, a list for each value of its facets, and a page for each product. Filters are links: no script. */
function addProducts(add, kind, items, local) {
  const { title, name, facets } = PRODUCTS[kind];
  const choices = Object.entries(facets).map(([field, label]) => ({
    field,
    label,
    values: [...Map.groupBy(items, (one) => one[field])],
  }));
  const addList = (path, heading, some, chosen) => {
    for (let at = 0; at < Math.max(1, some.length); at += PAGE_SIZE) {
      const number = at / PAGE_SIZE + 1;
      const last = Math.ceil(some.length / PAGE_SIZE);
      const cards = some.slice(at, at + PAGE_SIZE).map((one) => productCard(kind, one, local));
      const body = html`<h1>${heading}</h1><p>${countOf(some)}</p>
${choices.map((choice) => filters(kind, choice, chosen))}<ul class="grid">${cards}</ul>${pager(path, number, last)}`;
      add(pagePath(path, number), number === 1 ? heading : `${heading}, page ${number}`, body);
    }
  };
  addList(`/${kind}/`, title, items);
  for (const { field, values } of choices)
    for (const [value, some] of values)
      if (value !== null) addList(facetPath(kind, field, value), `${title}: ${value}`, some, value);
  for (const item of items)
    add(productPath(kind, item), name(item), productPage(kind, item, local), `${name(item)}, ${item.capacity ?? ''}`);
}

/** One facet as links, folded if it has many values. */
function filters(kind, { field, label, values }, chosen) {
  const shown = values.filter(([value]) => value !== null).toSorted(([one], [other]) => one.localeCompare(other));
  const link = ([value, { length }]) => {
    const [to, current] =
      value === chosen ? [`/${kind}/`, html` aria-current="true"`] : [facetPath(kind, field, value), ''];
    return html`<li><a href="${to}"${current}>${value} <small>${length}</small></a></li>`;
  };
  const isOpen = shown.length <= 6 || shown.some(([value]) => value === chosen);
  return html`<details class="filters"${isOpen ? html` open` : ''}><summary>${label}</summary><ul>${shown.map(link)}</ul></details>`;
}

function pager(path, number, last) {
  if (last <= 1) return '';
  const link = (to, words) => (to < 1 || to > last ? '' : html`<a href="${pagePath(path, to)}">${words}</a>`);
  return html`<nav class="pager" aria-label="Pages">${link(number - 1, '← Previous')}<span>Page ${number} of ${last}</span>${link(number + 1, 'Next →')}</nav>`;
}

function productCard(kind, item, local) {
  return card(productPath(kind, item), PRODUCTS[kind].name(item), item.capacity, picture(item.images[0], '', local));
}

function productPage(kind, item, local) {
  const { title, name, facts } = PRODUCTS[kind];
  const rows = Object.entries(facts).filter(([field]) => item[field] !== null);
  const { catalog } = item;
  return html`<p><a href="/${kind}/">${title}</a></p><h1>${name(item)}</h1>
<div class="gallery"><div>${gallery(item.images, name(item), local)}</div>
<div><dl>${rows.map(([field, label]) => html`<div><dt>${label}</dt><dd>${item[field]}</dd></div>`)}</dl>
${catalog === null ? '' : html`<p><a class="button" href="${local(catalog.url)}" download="${catalog.name}">Catalogue (${sizeOf(catalog)})</a></p>`}</div></div>`;
}

function projectCard(project, local) {
  const shown = picture(project.images[0] ?? project.image, '', local);
  return card(projectPath(project), project.projectName, project.clientName, shown);
}

function projectPage({ projectName, clientName, type, capacity, description, images }, local) {
  return html`<p><a href="/projects/">Projects</a></p><h1>${projectName}</h1>
<p>${[clientName, type, capacity].filter((fact) => fact !== null).join(' · ')}</p>
${String(description ?? '')
  .split(/\n+/)
  .map((part) => html`<p>${part}</p>`)}
<div class="gallery">${gallery(images, projectName, local)}</div>`;
}

function gallery(images, name, local) {
  const settings = (index) => ({ width: 1200, eager: index === 0 });
  return images.map((image, index) => picture(image, `${name}, photo ${index + 1}`, local, settings(index)));
}

function certifications(items, local) {
  const groups = [...Map.groupBy(items, ({ category }) => category)];
  return html`<h1>Certifications</h1>${groups.map(([category, some]) => html`<h2>${category}</h2><ul class="grid">${some.map((one) => namedCard(one, local))}</ul>`)}`;
}

function contact(site) {
  const networks = { facebook: 'Facebook', twitter: 'Twitter', linkedin: 'LinkedIn' };
  const links = Object.entries(networks).filter(([network]) => /^https?:/.test(site[network] ?? ''));
  return html`<h1>Contact</h1><address><p>${site.title}</p><p>${site.address}</p><p>${phoneLink(site)}</p><p>${mailLink(site)}</p></address>
<ul class="links">${links.map(([network, name]) => html`<li><a href="${site[network]}">${name}</a></li>`)}</ul>`;
}

function namedCard({ id, name, image }, local, link) {
  const shown = html`${picture(image, '', local)}<strong>${name}</strong>`;
  const isLinked = /^https?:/.test(link ?? '');
  return html`<li class="card" id="${id}">${isLinked ? html`<a href="${link}">${shown}</a>` : shown}</li>`;
}

function card(href, title, note, shown) {
  return html`<li class="card"><a href="${href}">${shown}<strong>${title}</strong></a>${note ? html`<p>${note}</p>` : ''}</li>`;
}

/** A picture in the widths there are. The first one on a page is fetched at once, others when they come near. */
function picture(image, alt, local, { width = 300, eager = false } = {}) {
  if (image === undefined || image === null) return html`<span class="nothing"></span>`;
  const sources = ['300', '1200'].map((one) => `${local(image.widths[one])} ${one}w`).join(', ');
  const sizes = width === 300 ? '(max-width: 600px) 50vw, 300px' : '(max-width: 900px) 100vw, 880px';
  const loading = eager ? html`fetchpriority="high"` : html`loading="lazy" decoding="async"`;
  return html`<img src="${local(image.widths['300'])}" srcset="${sources}" sizes="${sizes}" width="${width}" height="${(width * 3) / 4}" alt="${alt}" ${loading}>`;
}

function phoneLink({ phone }) {
  return html`<a href="tel:${String(phone ?? '').replaceAll(/[^+\d]/g, '')}">${phone}</a>`;
}

function mailLink({ email }) {
  return html`<a href="mailto:${email}">${email}</a>`;
}

const countOf = ({ length }) => `${length} ${length === 1 ? 'product' : 'products'}`;
const sizeOf = ({ size, type }) =>
  `${type === 'application/pdf' ? 'PDF, ' : ''}${Math.max(1, Math.round(size / 1000))} kB`;
// named by their ids, so that links to them last while names change; Voltdesk's *View on the site* leads here
const productPath = (kind, { id }) => `/${kind}/${id}/`;
const projectPath = ({ id }) => `/projects/${id}/`;
const facetPath = (kind, field, value) => `/${kind}/${field}/${slug(value)}/`;
const pagePath = (path, number) => (number === 1 ? path : `${path}page-${number}/`);
