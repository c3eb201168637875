/** How a back end that ended somebody's session tells so: in JSON, by a redirect to its login page, or by that page itself. */
export type SessionEnd = 'json' | 'redirect' | 'page';

/** How a back end answers `/uploads/{name}`. */
export type UploadsHabit = 'served' | 'redirects' | 'forbids' | 'page' | 'missing';

/**
 * Habits of installed back ends that a stock one lacks. All are off by default, and may be switched while a test runs:
 * what was stored before stays as it was stored.
 */
export interface Habits {
  /** It has the middleware of `integrations/laravel`. */
  ownKeys?: boolean;
  /** Pictures are stored with other bytes than they were sent with: resized, turned, without metadata. */
  reencodes?: boolean;
  /** Rewrites a text when a record is saved, as a model's observer or mutator does. */
  observes?: (field: string, text: string) => string;
  /** Lists are answered from a cache for this many milliseconds. */
  cachesLists?: number;
  /** Reads come from a replica this many milliseconds behind. */
  replicaLag?: number;
  /** `redirects`: to a bucket. `forbids`: 403. `page`: the public site's page. `missing`: 404, the files are elsewhere. */
  uploads?: UploadsHabit;
  /** The worker dies at a save's pictures once its row is stored: without an answer, or answering 500. */
  diesOnPictures?: 'silent' | 'error';
  /** Rows on a page of a paged list. */
  pageSize?: number;
  /** Rows of a paged list in descending order of their ids. */
  newestFirst?: boolean;
  /** Ids as JSON texts, or as UUIDs in their place. */
  ids?: 'text' | 'uuid';
  /** `data`: Laravel's resources. `paginator`: the same, and lists with `links` and `meta`. */
  wraps?: 'data' | 'paginator';
  /** Fields that records do not show (`$hidden`). */
  hides?: readonly string[];
  /** Fields whose values are shown as objects, as enumerations often are. */
  objects?: readonly string[];
  /** Pictures as whole addresses. `signed`: with a signature that differs in every answer. */
  addresses?: 'absolute' | 'signed';
  /** Columns that change with every answer, such as a count of views. */
  volatile?: boolean;
  /** Paths that are answered as by a router without the route, in JSON. */
  withoutRoute?: (path: string, method: string) => boolean;
  endsSessionsBy?: SessionEnd;
  /** Deleted rows and their files stay in the tables. */
  softDeletes?: boolean;
  /** Records have no `updated_at`. */
  withoutUpdatedAt?: boolean;
}

/** Thrown when the worker that carries out a request dies: the client gets no answer. */
export class WorkerDied extends Error {}
