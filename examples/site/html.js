const MARKS = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Marks text as HTML, so that `html` inserts it as it is. */
class Html extends String {}

/** A template of HTML. Inserted texts are escaped, HTML is not; lists are joined, and nothing is shown for null. */
export function html(strings, ...values) {
  return new Html(strings.map((part, index) => part + textOf(values[index])).join(''));
}

function textOf(value) {
  if (value === undefined || value === null || value === false) return '';
  if (Array.isArray(value)) return value.map(textOf).join('');
  return value instanceof Html ? String(value) : String(value).replaceAll(/[&<>"']/g, (mark) => MARKS[mark]);
}

/** A text as a part of an address: "Grid tie 3.0 kW" becomes "grid-tie-3-0-kw". */
export function slug(text) {
  const plain = String(text ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return plain.replaceAll(/^-|-$/g, '').slice(0, 60) || 'other';
}
