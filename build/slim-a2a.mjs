import { readFile } from 'node:fs/promises';

/** @type {readonly (readonly [from: string, to: string])[]} */
const CHANGES = [
  // The transports don't pass the limit for one event on, so an image in full resolution would end the stream.
  ['DEFAULT_MAX_SSE_EVENT_SIZE_BYTES = 4 * 1024 * 1024', 'DEFAULT_MAX_SSE_EVENT_SIZE_BYTES = 16 * 1024 * 1024'],
  // What an agent sends doesn't belong into the console. The error that follows says the same.
  ['console.error("Failed to parse SSE event data:", jsonData, e);', ''],
];

/**
 * Bundles the client of @a2a-js/sdk 1.3.0 with Gantry's limits. The version is pinned, because this relies on its text.
 * @type {import('esbuild').Plugin}
 */
export const slimA2a = {
  name: 'slim-a2a',
  setup(build) {
    build.onLoad({ filter: /@a2a-js[\\/]sdk[\\/]dist[\\/]client[\\/]index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const missing = CHANGES.filter(([from]) => !text.includes(from)).map(([from]) => from);
      if (missing.length > 0) throw new Error(`${path} has changed: ${missing.join('; ')}`);
      return { contents: CHANGES.reduce((changed, [from, to]) => changed.replace(from, to), text) };
    });
  },
};
