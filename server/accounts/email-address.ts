/** True for a whole email address: something, an @ and a host, without blanks. A host without a dot may be in this network. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}
