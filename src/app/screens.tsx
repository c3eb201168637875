import type { ReactElement } from 'react';
import { matchPath } from 'react-router-dom';
import { type Resource, routesOf, screenOf } from '../domain/resource.ts';
import { RESOURCES } from '../domain/resources/index.ts';
import { FORGOT_ROUTE, WELCOME_ROUTE } from '../domain/protocol/people.ts';
import { TRASH_ROUTE } from '../domain/protocol/trash.ts';
import { SHARE_PATH } from '../domain/share.ts';
import { siteMeta } from '../domain/resources/site-meta.ts';
import { useSession } from '../stores/session.ts';
import { type Late, late, prefetch } from '../ui/late.tsx';

const ListScreen = late(() => import('../resource/list-screen.tsx'));
const CreateScreen = late(() => import('../resource/create-screen.tsx'));
const EditScreen = late(() => import('../resource/edit-screen.tsx'));
const HomeScreen = late(() => import('../features/home/home-screen.tsx'));
const OutboxScreen = late(() => import('../features/outbox/outbox-screen.tsx'));
const ConflictScreen = late(() => import('../features/outbox/conflict-screen.tsx'));
const SessionsScreen = late(() => import('../features/account/sessions-screen.tsx'));
const SecurityScreen = late(() => import('../features/account/security-screen.tsx'));
const PeopleScreen = late(() => import('../features/account/people-screen.tsx'));
const PasswordScreen = late(() => import('../features/auth/password-screen.tsx'));
const PreferencesScreen = late(() => import('../features/account/preferences-screen.tsx'));
const ShareScreen = late(() => import('../features/share/share-screen.tsx'));
const AboutScreen = late(() => import('../features/about/about-screen.tsx'));
const SelfCheckScreen = late(() => import('../features/self-check/self-check-screen.tsx'));
const PublicSiteScreen = late(() => import('../features/public-site/public-site-screen.tsx'));
const BackupsScreen = late(() => import('../features/backups/backups-screen.tsx'));
const TrashScreen = late(() => import('../features/trash/trash-screen.tsx'));
const HealthScreen = late(() => import('../features/health/health-screen.tsx'));
const NotFoundScreen = late(() => import('../features/not-found/not-found-screen.tsx'));
const ForgottenScreen = late(() => import('../features/auth/forgotten-screen.tsx'));
const WelcomeScreen = late(() => import('../features/auth/welcome-screen.tsx'));
export const LoginScreen = late(() => import('../features/auth/login-screen.tsx'));

export interface Screen {
  readonly path: string;
  readonly element: ReactElement;
  /** Loads its code. */
  load(): Promise<unknown>;
}

/** A route that renders a part without properties. */
const screenAt = (path: string, Part: Late<object>): Screen => ({ path, element: <Part />, load: Part.load });

/** Routes that need no sign-in: opening a link, or requesting one. */
export const OPEN_SCREENS: readonly Screen[] = [
  screenAt(WELCOME_ROUTE, WelcomeScreen),
  screenAt(FORGOT_ROUTE, ForgottenScreen),
];

/** Every route behind the sign-in: three per resource, and a few others. */
export const SCREENS: readonly Screen[] = [
  screenAt('/', HomeScreen),
  { path: screenOf(siteMeta, siteMeta.only), element: <EditScreen resource={siteMeta} />, load: EditScreen.load },
  ...RESOURCES.flatMap(screensOf),
  screenAt('/outbox', OutboxScreen),
  screenAt('/outbox/conflict/:entryId', ConflictScreen),
  screenAt('/pass-change', PasswordScreen),
  screenAt('/sessions', SessionsScreen),
  screenAt('/security', SecurityScreen),
  screenAt('/people', PeopleScreen),
  screenAt('/preferences', PreferencesScreen),
  screenAt(SHARE_PATH, ShareScreen),
  screenAt('/about', AboutScreen),
  screenAt('/self-check', SelfCheckScreen),
  screenAt('/public-site', PublicSiteScreen),
  screenAt('/backups', BackupsScreen),
  screenAt(TRASH_ROUTE, TrashScreen),
  screenAt('/health', HealthScreen),
  screenAt('*', NotFoundScreen),
];

function screensOf(resource: Resource): Screen[] {
  const { list, create, edit } = routesOf(resource);
  const { name } = resource;
  return [
    { path: list, element: <ListScreen key={name} resource={resource} />, load: ListScreen.load },
    { path: create, element: <CreateScreen key={name} resource={resource} />, load: CreateScreen.load },
    { path: edit(':id'), element: <EditScreen key={name} resource={resource} />, load: EditScreen.load },
  ];
}

/** Loads the code of the screen at the opened address. Rejects if it cannot be loaded. */
export async function loadFirstScreen(): Promise<void> {
  const { pathname } = location;
  const signedIn = useSession.getState().token !== undefined;
  const screen = signedIn ? SCREENS.find(({ path }) => matchPath(path, pathname)) : LoginScreen;
  await (OPEN_SCREENS.find(({ path }) => path === pathname) ?? screen)?.load();
}

/** Prefetches the code of all screens, one per idle period, so that each opens instantly and offline. */
export async function prefetchScreens(): Promise<void> {
  const loads = new Set([...SCREENS.map(({ load }) => load), LoginScreen.load]);
  await prefetch([...loads].map((load) => ({ load })));
}
