import type { CSSProperties } from 'react';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { type Column, fieldOf, type Resource, routesOf, textOf } from '../../domain/resource.ts';
import { valueWords } from '../../fields/value-words.ts';
import { LocalPicture } from '../local-picture.tsx';
import { conflictPath } from '../paths.ts';
import { Picture } from '../../ui/picture.tsx';
import { useThumbnailAddress } from '../thumbnails.ts';
import type { Fact } from './facts.ts';
import { markOf } from './marks.ts';
import { t } from '../../language/t.ts';
import { ROW_PHOTO } from './row-size.ts';
import { sayTitle } from '../say-title.ts';

/** The props of a row. Rows are plain elements, because a list renders many of them. */
export interface RowProps {
  readonly resource: Resource;
  readonly row: PendingRow;
  /** Its position in the shown list, from 1: the Sl column. */
  readonly number: number;
  readonly selected: boolean;
  /** The facts shown beside the columns. */
  readonly facts: readonly Fact[];
  /** True if the row was just saved and is highlighted. */
  readonly arrived: boolean;
  /** Looked up once for all rows: a row without subscriptions renders within the scroll frame. */
  readonly mayEdit: boolean;
}

const CLOCK = 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm1 4v5l4 2-1 1.7-5-2.7V7Z';
const DOTS = 'M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm0 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm0 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z';
const ALERT = 'M12 2 1 21h22L12 2Zm1 16h-2v-2h2v2Zm0-4h-2v-4h2v4Z';

/** The pending mark of a row. One that needs attention links to where it is resolved. */
export function RowMark({ row }: Pick<RowProps, 'row'>) {
  const mark = markOf(row);
  if (mark === undefined) return null;
  const content = (
    <>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={mark.tone === 'attention' ? ALERT : CLOCK} />
      </svg>
      <span title={mark.words}>{mark.words}</span>
    </>
  );
  if (mark.tone !== 'attention') return <span className={`mark mark-${mark.tone}`}>{content}</span>;
  const address = row.status === 'conflict' && row.entryId !== undefined ? conflictPath(row.entryId) : '/outbox';
  return (
    <a className="mark mark-attention" href={address}>
      {content}
    </a>
  );
}

interface CellProps extends Pick<RowProps, 'resource' | 'row'> {
  readonly column: Column;
  readonly leading: boolean;
}

/** A cell of a row. The leading column links to the record. */
export function Cell({ resource, row, column, leading }: CellProps) {
  if (column.kind === 'image') return <RowImage row={row} field={column.field} width={column.width} />;
  const text = cellText(resource, column.field, row);
  if (leading) return <RowLink resource={resource} row={row} text={text} />;
  return (
    <span className="cell-text" title={text}>
      {text}
    </span>
  );
}

/** The text of a cell. Choices are in the user's language. */
export function cellText(resource: Resource, field: string, row: PendingRow): string {
  return valueWords(fieldOf(resource, field), textOf(row[field]));
}

function RowLink({ resource, row, text }: Pick<CellProps, 'resource' | 'row'> & { text: string }) {
  return (
    <a className="row-link" title={text} href={routesOf(resource).edit(row.recordId)}>
      {text === '' ? sayTitle(resource, { ...row, id: row.recordId }) : text}
    </a>
  );
}

/** A thumbnail of the record's first photo, or an empty box. */
export function RowPhoto({ row }: Pick<RowProps, 'row'>) {
  const name = textOf(row['photo']);
  if (name !== '') return <StoredImage className="row-photo" name={name} width={ROW_PHOTO} />;
  if (row.localImage !== undefined) return <LocalPicture reference={row.localImage} className="row-photo" />;
  return <span className="row-photo" aria-hidden="true" />;
}

/** The record's name, as used in the accessible names of its controls. */
export function nameOf({ resource, row }: Pick<RowProps, 'resource' | 'row'>): string {
  return sayTitle(resource, { ...row, id: row.recordId });
}

/** The checkbox of a row. */
export function RowSelect({ name, selected }: Pick<RowProps, 'selected'> & { name: string }) {
  return (
    <input
      type="checkbox"
      data-act="select"
      checked={selected}
      onChange={heardAbove}
      aria-label={t('Select {title}', { title: name })}
    />
  );
}

/** A no-op: the list has one listener for all rows. */
function heardAbove(): void {}

interface RowActionsProps extends Pick<RowProps, 'resource' | 'row' | 'mayEdit'> {
  readonly name: string;
  readonly narrow?: boolean;
}

/** Edit and Delete, or Undo for a pending deletion. On narrow screens Delete is in a menu, out of the thumb's way. */
export function RowActions({ resource, row, name, mayEdit, narrow = false }: RowActionsProps) {
  if (row.pending === 'delete') {
    return (
      <button
        type="button"
        className="row-action"
        data-act="undo"
        aria-label={t('Undo the deletion of {name}', { name })}
      >
        {t('Undo')}
      </button>
    );
  }
  if (!mayEdit) {
    return (
      <a className="row-action" href={routesOf(resource).edit(row.recordId)} aria-label={t('Open {name}', { name })}>
        {t('Open')}
      </a>
    );
  }
  return (
    <>
      <a className="row-action" href={routesOf(resource).edit(row.recordId)} aria-label={t('Edit {name}', { name })}>
        {t('Edit')}
      </a>
      {narrow ? (
        <button
          type="button"
          className="row-more"
          data-act="menu"
          aria-haspopup="menu"
          aria-label={t('More for {name}', { name })}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d={DOTS} />
          </svg>
        </button>
      ) : (
        <button
          type="button"
          className="row-action row-delete"
          data-act="delete"
          aria-label={t('Delete {name}', { name })}
        >
          {t('Delete')}
        </button>
      )}
    </>
  );
}

function RowImage({ row, field, width }: { row: PendingRow; field: string; width: number }) {
  const style = { width };
  if (row.localImage?.field === field) {
    return <LocalPicture reference={row.localImage} className="row-image" style={style} />;
  }
  const name = textOf(row[field]);
  if (name === '') return <span className="row-image" style={style} />;
  return <StoredImage className="row-image" name={name} width={width} style={style} />;
}

interface StoredImageProps {
  readonly className: string;
  readonly name: string;
  /** CSS pixels. */
  readonly width: number;
  readonly style?: CSSProperties;
}

function StoredImage({ name, width, ...look }: StoredImageProps) {
  const address = useThumbnailAddress();
  return <Picture {...look} src={address(name, width)} />;
}
