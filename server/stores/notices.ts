import type { Cause, Notice } from '../../src/domain/protocol/notices.ts';

/** What was written down about a cause. */
export interface NotedCause extends Notice {
  /** Owners were told by mail. */
  readonly isTold: boolean;
  readonly isOver: boolean;
}

/** Notes of what owners are to be told, shared by all servers of a database. */
export interface Notices {
  /** Notes what a server finds now. What it no longer finds is over, if `mayEnd` says that it would have found it. */
  note(found: readonly Cause[], mayEnd: (cause: string) => boolean): Promise<void>;
  /** All of them, oldest first. */
  list(): Promise<NotedCause[]>;
  /** True for the one server that is to tell owners of a cause. */
  claim(cause: string): Promise<boolean>;
  /** Gives a claim back: the mail did not go out. */
  notTold(cause: string): Promise<void>;
  /** Removes a cause that is over. True for the one server that did. */
  end(cause: string): Promise<boolean>;
  /** The addresses of all owners. */
  owners(): Promise<string[]>;
  /** True if there is no record of any kind. */
  isEmpty(): Promise<boolean>;
}
