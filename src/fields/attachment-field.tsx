import { type ComponentType, type ReactNode, useEffect, useId, useState } from 'react';
import type { AttachmentField, FieldOf } from '../domain/fields.ts';
import type { AttachmentInputProps } from './attachment-input.ts';
import { FieldFrame, messageId, messageOf } from './field-frame.tsx';
import { FileInput } from './file-input.tsx';
import { ImageInput } from './image-input.tsx';
import { ImagesInput } from './images-input.tsx';
import './fields.css';
import './photos/photos.css';

/** One input per kind of file field. A kind without an input does not compile. */
const INPUTS: { readonly [K in AttachmentField['kind']]: ComponentType<AttachmentInputProps<FieldOf<K>>> } = {
  file: FileInput,
  image: ImageInput,
  images: ImagesInput,
};

interface AttachmentFieldInputProps
  extends Omit<AttachmentInputProps<AttachmentField>, 'id' | 'invalid' | 'described'> {
  readonly id?: string;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  /** A note shown when there is no error or hint. */
  readonly note?: ReactNode;
}

/** A labelled control for files, with a hint and an error. */
export function AttachmentFieldInput({ id: given, error, hint, note, ...props }: AttachmentFieldInputProps) {
  const madeUp = useId();
  const id = given ?? madeUp;
  // The map pairs each kind with its input; the compiler can't follow a field through its own kind.
  const Input = INPUTS[props.field.kind] as ComponentType<AttachmentInputProps<AttachmentField>>;
  const message = messageOf({ error, hint, note });
  const keepFocus = useFocusAfterRemoval(id);
  const remove = (key: string) => {
    keepFocus(props.files.findIndex((file) => file.key === key));
    props.onRemove(key);
  };
  return (
    <FieldFrame field={props.field} id={id} message={message}>
      <Input {...props} id={id} onRemove={remove} invalid={error !== undefined} described={message && messageId(id)} />
    </FieldFrame>
  );
}

/**
 * Keeps the focus in the field when a file is removed together with its focused button (WCAG 2.4.3): on the picked photo now at
 * its index, else on the input.
 */
function useFocusAfterRemoval(id: string): (at: number) => void {
  const [removed, setRemoved] = useState<{ readonly at: number }>();
  useEffect(() => {
    if (removed === undefined) return;
    const input = document.getElementById(id);
    // Only picked photos can be lifted.
    const photos = input?.closest('.field')?.querySelectorAll<HTMLElement>('[data-lifted] .tile-picture') ?? [];
    (photos[Math.min(removed.at, photos.length - 1)] ?? input)?.focus();
  }, [removed, id]);
  return (at) => setRemoved({ at });
}
