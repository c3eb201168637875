/** Takes the files out of an input: the browser tells of the same file picked again only where the input is empty. */
export function emptied(input: HTMLInputElement): File[] {
  const files = [...(input.files ?? [])];
  input.value = '';
  return files;
}
