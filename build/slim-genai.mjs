import { readFile } from 'node:fs/promises';

/** @type {(name: string) => string} */
const leftOut = (name) => `
class LeftOut {
  constructor() { throw new Error('${name} is left out of this bundle (build/slim-genai.mjs).'); }
}
export { LeftOut as GoogleAuth, LeftOut as JWT, LeftOut as WebSocket, LeftOut as default };
`;

/**
 * Parts of @google/genai that are never used here, because it always gets a key and no live connection: a fifth of the
 * bundle, and a quarter of the time it takes to load. Who needs google-auth-library imports it for later.
 * @type {import('esbuild').Plugin}
 */
export const slimGenai = {
  name: 'slim-genai',
  setup(build) {
    build.onResolve({ filter: /^(google-auth-library|ws)$/ }, ({ path }) => ({ path, namespace: 'left-out' }));
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({ contents: leftOut(path) }));
    // With both key variables set the SDK writes to stderr which one it uses; we give it the key, so that is not true.
    build.onLoad({ filter: /@google[\\/]genai[\\/]dist[\\/]node[\\/]index\.m?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replace(/console\.warn\('Both GOOGLE_API_KEY and GEMINI_API_KEY[^;]*;/, '') };
    });
  },
};
