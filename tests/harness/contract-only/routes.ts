import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { siteMeta as definition } from '../../../src/domain/resources/site-meta.ts';
import type { Accounts } from './accounts.ts';
import { json, page } from './answers.ts';
import { type Body, textOf } from './body.ts';
import { deleteImage, Records } from './records.ts';
import { GENERATOR_SERIES, INVERTER_BRANDS, UPS_TYPES } from './seed.ts';
import type { Habits } from './habits.ts';
import type { SiteMeta } from './site-meta.ts';
import type { Store } from './store.ts';

/** The arguments of a handler: the id from the address (empty if the route has none), the body, and the request. */
export interface Call {
  readonly request: Request;
  readonly id: string;
  readonly body: Body;
}

type Handler = (call: Call) => Response;

/** One address. A final `{id}` stands for one more segment. */
export interface Route {
  readonly path: string;
  readonly open: boolean;
  readonly methods: Readonly<Partial<Record<'GET' | 'POST', Handler>>>;
}

export interface Parts {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly siteMeta: SiteMeta;
  readonly habits: Habits;
}

/** Every route of the stock back end: the contract and its two pages, nothing else. */
export function routesOf(parts: Parts): Route[] {
  return [...pages(), ...authRoutes(parts), ...recordRoutes(parts), ...lookupRoutes(), ...otherRoutes(parts)];
}

/** Returns the route and id of an address. Undefined if no route matches. */
export function matchRoute(routes: readonly Route[], path: string): { route: Route; id: string } | undefined {
  const exact = routes.find((route) => route.path === path);
  if (exact !== undefined) return { route: exact, id: '' };
  const cut = path.lastIndexOf('/');
  const route = routes.find((one) => one.path === `${path.slice(0, cut)}/{id}`);
  return route === undefined ? undefined : { route, id: decodeURIComponent(path.slice(cut + 1)) };
}

function pages(): Route[] {
  const open = true;
  return ['/', '/login'].map((path) => ({ path, open, methods: { GET: () => page(200, 'Power Equipment') } }));
}

function authRoutes({ accounts }: Parts): Route[] {
  return [
    { path: '/api/auth/login', open: true, methods: { POST: ({ body }) => accounts.login(body) } },
    closed('/api/user', { GET: ({ request }) => accounts.user(accounts.authenticate(request)) }),
    closed('/api/logout', { POST: ({ request }) => accounts.logout(request) }),
    closed('/api/change-password', {
      POST: ({ request, body }) => accounts.changePassword(accounts.authenticate(request), body),
    }),
  ];
}

function recordRoutes({ store, habits }: Parts): Route[] {
  return RESOURCES.flatMap((resource) => {
    const records = new Records(resource, store, habits);
    const { create, list, single, delete: remove } = resource.endpoints;
    return [
      closed(create, { POST: ({ body }) => records.create(body) }),
      closed(list, { GET: ({ request }) => records.list(new URL(request.url).searchParams) }),
      closed(`${single}/{id}`, {
        GET: ({ id }) => records.single(id),
        POST: ({ id, body }) => records.update(id, body),
      }),
      closed(`${remove}/{id}`, { POST: ({ id }) => records.delete(id) }),
    ];
  });
}

function lookupRoutes(): Route[] {
  return [
    closed('/api/get-generators-series', { GET: () => json(GENERATOR_SERIES) }),
    closed('/api/get-all-ups-types', { GET: () => json(UPS_TYPES) }),
    closed('/api/get-gti-brands', { POST: ({ body }) => json(INVERTER_BRANDS[textOf(body, 'type') ?? ''] ?? []) }),
  ];
}

function otherRoutes({ store, siteMeta }: Parts): Route[] {
  return [
    closed('/api/delete-image/{id}', { POST: ({ id }) => deleteImage(store, id) }),
    closed(definition.endpoints.single, {
      GET: () => siteMeta.read(),
      POST: ({ body }) => siteMeta.save(body, store.now()),
    }),
  ];
}

function closed(path: string, methods: Route['methods']): Route {
  return { path, open: false, methods };
}
