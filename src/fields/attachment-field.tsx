import { type ComponentType, useId } from 'react';
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
}

/** A labelled control for files, with a hint and an error. */
export function AttachmentFieldInput({ id: given, error, hint, ...props }: AttachmentFieldInputProps) {
  const madeUp = useId();
  const id = given ?? madeUp;
  // The map pairs each kind with its input; the compiler can't follow a field through its own kind.
  const Input = INPUTS[props.field.kind] as ComponentType<AttachmentInputProps<AttachmentField>>;
  const message = messageOf({ error, hint });
  return (
    <FieldFrame field={props.field} id={id} message={message}>
      <Input {...props} id={id} invalid={error !== undefined} described={message && messageId(id)} />
    </FieldFrame>
  );
}
