/**
 * What an answer may put on the page: the elements markdown itself makes, and no attribute that loads, styles or
 * submits. Images are links by the time they get here (see html.ts).
 */
export const ALLOWED_TAGS: readonly string[] = [
  ...['p', 'br', 'hr', 'blockquote', 'h3', 'h4', 'h5', 'h6'],
  ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ...['a', 'strong', 'em', 'del', 'sup', 'code', 'pre'],
];

/** Attributes that carry an address, checked against ALLOWED_HREF. */
export const ADDRESS_ATTRIBUTES: readonly string[] = ['href'];

/** Attributes that carry plain words or numbers. */
export const PLAIN_ATTRIBUTES: readonly string[] = [
  'title',
  'rel',
  'start',
  'align',
  'data-path',
  'data-line',
  'data-lang',
  'data-maths',
  'data-task',
  'data-note',
];

/** `#` is a file link: its path is in data-path, and the click is turned into a message. */
export const ALLOWED_HREF = /^(?:https?:|mailto:|#$)/i;
