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
const REQUEST_HEADERS = /(async getHeadersInternal\(httpOptions, url\) \{\n {8}const headers = )new Headers\(\)/;
/** Only a class that is left out uses it, and loading Node's own streams of the web takes 3 ms. */
const STREAM_PROTOTYPE = /^ReadableStreamBase\.prototype = ReadableStream\.prototype;$/m;
const MODELS_CLASS = /^class Models extends BaseModule \{\n[\s\S]*?^\}$/m;
/** Each brings the code that converts its parameters and its response. */
const UNUSED_METHODS = [
  'embedContent|generateImages|editImage|upscaleImage|generateVideos',
  'recontextImage|segmentImage|computeTokens|list|get|update|delete',
].join('|');
/** In the constructor, and in the class. */
const UNUSED_BLOCKS = new RegExp(
  [
    `^ {8}this\\.(${UNUSED_METHODS}) = async \\(params\\) => \\{\\n(?: {9}.*\\n|\\n)* {8}\\};\\n`,
    `^ {4}async (${UNUSED_METHODS})(Internal)?\\(params\\) \\{\\n(?: {5}.*\\n|\\n)* {4}\\}\\n`,
  ].join('|'),
  'gm',
);

/** Loading Node's own takes 20 ms, because it comes with all of fetch. */
const PLAIN_HEADERS = `
class PlainHeaders extends Map {
  get(name) { return super.get(name.toLowerCase()) ?? null; }
  append(name, value) { this.set(name.toLowerCase(), value); }
}
`;

/**
 * Removes parts of @google/genai that are never used, because it always gets a key and no live connection: 2.2 MB
 * become 1.5 MB. Code that needs google-auth-library loads it on demand.
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
        // Of all that a client offers, only `models` is used, and that only for answers and to count tokens. esbuild then
        // removes what the rest needs.
        .replace(UNUSED_MEMBERS, '')
        .replace(MODELS_CLASS, (models) => models.replace(UNUSED_BLOCKS, ''))
        .replace(UNUSED_GETTERS, 'undefined')
        .replace(STREAM_PROTOTYPE, '')
        .replace(REQUEST_HEADERS, '$1new PlainHeaders()');
      return { contents: PLAIN_HEADERS + contents };
    });
  },
};

const ENUM = /^var (\w+);\n\(function \(\1\) \{\n[\s\S]*?^\}\)\(\1 \|\| \(\1 = \{\}\)\);$/gm;

/**
 * Only the enums of @google/genai, for a bundle that checks settings for models and sends nothing: 12 kB.
 * @type {import('esbuild').Plugin}
 */
export const genaiEnums = {
  name: 'genai-enums',
  setup(build) {
    build.onLoad({ filter: /@google[\\/]genai[\\/]dist[\\/]node[\\/]index\.m?js$/ }, async ({ path }) => {
      const found = [...(await readFile(path, 'utf8')).matchAll(ENUM)];
      const names = found.map(([, name]) => name);
      return { contents: `${found.map(([text]) => text).join('\n')}\nexport { ${names.join(', ')} };` };
    });
  },
};
