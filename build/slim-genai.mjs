import { readFile } from 'node:fs/promises';

/** @type {(name: string) => string} */
const leftOut = (name) => `
class LeftOut {
  constructor() { throw new Error('${name} is left out of this bundle (build/slim-genai.mjs).'); }
}
export { LeftOut as GoogleAuth, LeftOut as JWT, LeftOut as WebSocket, LeftOut as default };
`;

const UNUSED_MEMBERS =
  /^ {8}this\.(live|batches|chats|caches|files|operations|authTokens|tunings|fileSearchStores) = new \w+\(.*\);$/gm;
const UNUSED_GETTERS =
  /\bnew GeminiNextGen(Interactions|Webhooks|Agents|Triggers|Environments|Credentials|Voices)\(.*\)(?=;$)|\bbuildGoogleGenAIClient\(this\.apiClient, \{[^}]*\}\)(?=;$)/gm;

/**
 * Removes parts of @google/genai that are never used, because it always gets a key and no live connection: a fifth of
 * the bundle, and a quarter of its load time. Code that needs google-auth-library loads it on demand.
 * @type {import('esbuild').Plugin}
 */
export const slimGenai = {
  name: 'slim-genai',
  setup(build) {
    build.onResolve({ filter: /^(google-auth-library|ws)$/ }, ({ path }) => ({ path, namespace: 'left-out' }));
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({ contents: leftOut(path) }));
    build.onLoad({ filter: /@google[\\/]genai[\\/]dist[\\/]node[\\/]index\.m?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text
        // If both key variables are set, the SDK logs to stderr which one it uses. Gantry passes the key, so that is wrong.
        .replace(/console\.warn\('Both GOOGLE_API_KEY and GEMINI_API_KEY[^;]*;/, '')
        // Of all that a client offers, only `models` is used. esbuild then removes the classes of the rest.
        .replace(UNUSED_MEMBERS, '')
        .replace(UNUSED_GETTERS, 'undefined');
      return { contents };
    });
  },
};
