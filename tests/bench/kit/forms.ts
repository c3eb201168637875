export interface Attachment {
  readonly field: string;
  readonly bytes: Buffer;
  readonly type: string;
  readonly name: string;
}

/** The form of a new inverter with these files, as the contract defines it. */
export function inverterForm(files: readonly Attachment[]): FormData {
  const form = new FormData();
  form.set('type', 'Three Phase');
  form.set('brand', 'SMA');
  form.set('capacity', '12 kW');
  form.set('model', `STP-${crypto.randomUUID()}`);
  for (const { field, bytes, type, name } of files)
    form.append(field, new Blob([new Uint8Array(bytes)], { type }), name);
  return form;
}
