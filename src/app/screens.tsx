import { type ComponentType, lazy } from 'react';
import { type Resource, routesOf } from '../domain/resource.ts';
import { RESOURCES } from '../domain/resources/index.ts';
import { SITE_META } from '../domain/site-meta.ts';

type ResourceScreen = ComponentType<{ resource: Resource }>;
type Loader<P> = () => Promise<{ default: ComponentType<P> }>;

/** The code of each screen: asked for when it is opened, or fetched ahead while the page is idle. */
const LOADERS = {
  list: () => import('../resource/list-screen.tsx'),
  create: () => import('../resource/create-screen.tsx'),
  edit: () => import('../resource/edit-screen.tsx'),
  home: () => import('../features/home/home-screen.tsx'),
  outbox: () => import('../features/outbox/outbox-screen.tsx'),
  conflict: () => import('../features/outbox/conflict-screen.tsx'),
  siteMeta: () => import('../features/site-meta/site-meta-screen.tsx'),
  passwordChange: () => import('../features/auth/password-screen.tsx'),
  login: () => import('../features/auth/login-screen.tsx'),
  about: () => import('../features/about/about-screen.tsx'),
  notFound: () => import('../features/not-found/not-found-screen.tsx'),
} satisfies Record<string, Loader<never>>;

const ListScreen: ResourceScreen = lazy(LOADERS.list);
const CreateScreen: ResourceScreen = lazy(LOADERS.create);
const EditScreen: ResourceScreen = lazy(LOADERS.edit);
const HomeScreen = lazy(LOADERS.home);
const OutboxScreen = lazy(LOADERS.outbox);
const ConflictScreen = lazy(LOADERS.conflict);
const SiteMetaScreen = lazy(LOADERS.siteMeta);
const PasswordScreen = lazy(LOADERS.passwordChange);
const AboutScreen = lazy(LOADERS.about);
const NotFoundScreen = lazy(LOADERS.notFound);
export const LoginScreen = lazy(LOADERS.login);

export interface Screen {
  readonly path: string;
  readonly element: React.ReactElement;
}

/** Every route behind the sign-in: three for each kind of record, and the few of their own. */
export const SCREENS: readonly Screen[] = [
  { path: '/', element: <HomeScreen /> },
  { path: SITE_META.path, element: <SiteMetaScreen /> },
  ...RESOURCES.flatMap(screensOf),
  { path: '/outbox', element: <OutboxScreen /> },
  { path: '/outbox/conflict/:entryId', element: <ConflictScreen /> },
  { path: '/pass-change', element: <PasswordScreen /> },
  { path: '/about', element: <AboutScreen /> },
  { path: '*', element: <NotFoundScreen /> },
];

function screensOf(resource: Resource): Screen[] {
  const { list, create, edit } = routesOf(resource);
  return [
    { path: list, element: <ListScreen key={resource.name} resource={resource} /> },
    { path: create, element: <CreateScreen key={resource.name} resource={resource} /> },
    { path: edit(':id'), element: <EditScreen key={resource.name} resource={resource} /> },
  ];
}

/** Fetches the code of all screens, one after the other, so that each opens at once and without a connection. */
export async function prefetchScreens(): Promise<void> {
  for (const load of Object.values(LOADERS)) await load();
}
