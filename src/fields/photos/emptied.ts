/** Returns the files of an input and clears it. Otherwise the browser fires no event when the same file is picked again. */
export function emptied(input: HTMLInputElement): File[] {
  const files = [...(input.files ?? [])];
  input.value = '';
  return files;
}
