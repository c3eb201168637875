import Button from '@mui/material/Button';
import type { ReactNode, RefObject } from 'react';
import { ErrorSummary } from './error-summary.tsx';
import { RecordFields, type RecordFieldsProps } from './record-fields.tsx';
import { RestoredBar } from './restored-bar.tsx';
import { useSaveKey, useStrayDrops } from './use-page-events.ts';
import type { Submit } from './use-submit.ts';
import '../../fields/fields.css';
import './form.css';

interface FormBodyProps extends Omit<RecordFieldsProps, 'warned'> {
  readonly element: RefObject<HTMLFormElement | null>;
  readonly save: Submit;
  readonly submitLabel: string;
  /** What to tell above the fields. */
  readonly notice: ReactNode;
  /** What to tell while somebody works: it lies over the form's foot and moves nothing. */
  readonly saveNotice?: ReactNode;
  /** What follows the fields. */
  readonly children?: ReactNode;
  /** When the unfinished form that was brought back had been kept, in epoch milliseconds; undefined where none was. */
  readonly restoredAt: number | undefined;
  readonly onDiscardRestored: () => void;
  /** What stands beside Save. */
  readonly actions?: ReactNode;
  /** How the form stands, in a few words at the end of the bar. */
  readonly stateWords: string;
}

/** What every form looks like: what to know first, what is wrong, the fields in their sections, and Save, always in sight. */
export function FormBody(props: FormBodyProps) {
  const { element, save, form, restoredAt } = props;
  useSaveKey(element);
  useStrayDrops();
  return (
    <form
      ref={element}
      className="record-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save.submit();
      }}
    >
      {props.notice}
      {restoredAt !== undefined && <RestoredBar at={restoredAt} onDiscard={props.onDiscardRestored} />}
      <ErrorSummary
        fields={props.resource.fields}
        files={form.state.files}
        errors={form.state.errors}
        warned={save.warned}
        attention={save.attention}
        idOf={props.idOf}
        onSaveAnyway={() => void save.submit(true)}
      />
      <RecordFields {...props} warned={save.warned} />
      {props.children}
      <SaveBar {...props} />
    </form>
  );
}

function SaveBar({ form, save, submitLabel, actions, stateWords, saveNotice }: FormBodyProps) {
  return (
    <div className="save-bar">
      {saveNotice}
      <Button
        type="submit"
        variant="contained"
        size="large"
        loading={save.saving}
        loadingPosition="start"
        disabled={form.reading}
      >
        {form.reading ? 'Reading photos…' : submitLabel}
      </Button>
      {actions}
      <span className="save-state">{stateWords}</span>
    </div>
  );
}
