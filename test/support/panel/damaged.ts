/** Values that no field of a message may have. */
const WRONG: readonly unknown[] = [
  null,
  Number.NaN,
  -0.5,
  [],
  {},
  [[]],
  { length: 1 },
  true,
  '\u0000',
  Symbol.iterator.toString(),
];

/** Property names that every object inherits. */
const INHERITED = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'] as const;

/** Longer than any message may be. */
const HUGE = 'x'.repeat(10_000_000);

type Json = Readonly<Record<string, unknown>>;

/** Copies of a message, each with one defect: an additional or missing field, or one of another type, at any depth. */
export function* damaged(message: Json): Generator<unknown> {
  for (const name of [...INHERITED, 'unknown']) yield withField(message, name, { polluted: true });
  for (const type of [...INHERITED, 'Ready', 'unknown', '', HUGE]) yield { ...message, type };
  yield* damagedInside(message);
}

function* damagedInside(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const wrong of damagedInside(item)) yield value.map((kept, at) => (at === index ? wrong : kept));
    return;
  }
  if (typeof value !== 'object' || value === null) {
    for (const wrong of WRONG) if (typeof wrong !== typeof value) yield wrong;
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    for (const wrong of damagedInside(inner)) yield { ...value, [key]: wrong };
  }
}

/** Adds an own property, as JSON or a structured clone would, even if its name is special. */
export function withField(message: Json, name: string, value: unknown): Json {
  const copy = { ...message };
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}
