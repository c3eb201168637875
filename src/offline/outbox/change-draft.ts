import type { Base, RecordId } from '../../domain/outbox/vocabulary.ts';
import type { AnyResourceName, ResourceName } from '../../domain/resource.ts';
import type { Values } from '../../domain/validate.ts';
import type { PickedFile } from '../storage/files.ts';

/** A change as a screen submits it. */
export type ChangeDraft =
  | {
      readonly op: 'create';
      readonly resource: ResourceName;
      readonly values: Values;
      readonly files: readonly PickedFile[];
    }
  | {
      readonly op: 'update';
      readonly resource: AnyResourceName;
      readonly recordId: RecordId;
      readonly values: Values;
      readonly files: readonly PickedFile[];
      readonly base: Base;
    }
  | { readonly op: 'delete'; readonly resource: ResourceName; readonly recordId: RecordId; readonly base?: Base }
  | {
      readonly op: 'delete-image';
      readonly resource: ResourceName;
      readonly recordId: RecordId;
      readonly imageId: number;
      readonly image: string;
      readonly base?: Base;
    };

/** What an entry stores besides the change itself. */
export interface DraftAbout {
  /** Id of the user who makes the change. */
  readonly administrator: string;
  /** The record's display name. */
  readonly title: string;
  /** How long a delete can be undone before it is sent, in milliseconds. */
  readonly undoFor?: number;
}
