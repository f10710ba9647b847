import { readFile } from 'node:fs/promises';
import { onlyEnglishZod } from './slim-zod.mjs';

const SILENT_WINSTON = `
const chain = () => chain;
export const format = Object.assign(() => chain, {
  combine: chain, label: chain, colorize: chain, timestamp: chain, printf: chain,
});
export const transports = { Console: class {} };
export const createLogger = () => ({ log() {}, debug() {}, info() {}, warn() {}, error() {} });
`;

/**
 * ADK's own clients of models, which it looks up by the name of a model. Gantry always provides a client.
 * @type {Readonly<Record<string, string>>}
 */
const LEFT_OUT_MODELS = {
  registry: 'export const LLMRegistry = { newLlm: leftOut };',
  google_llm: 'export { leftOut as Gemini, leftOut as geminiInitParams }; export const isGemini = () => false;',
  apigee_llm: 'export { leftOut as ApigeeLlm };',
};

/** @type {(name: string) => string} */
const leftOut = (name) =>
  `const leftOut = () => { throw new Error('${name} is left out of this bundle (build/slim-adk.mjs).'); };`;

/** @type {readonly (readonly [from: RegExp, to: string])[]} */
const CHANGES = [
  // Each file begins with a `require` made from import.meta.url, which a CommonJS bundle does not have.
  [/^import \{createRequire .*\n.*topLevelCreateRequire\(import\.meta\.url\);\n/, ''],
  // Each file has its own copy of this function, and calls it for each of its functions, so esbuild takes all of them
  // for used. Gantry needs only the names of classes (runtime/adk/request-pipeline.ts).
  [/^var __defProp = Object\.defineProperty;\nvar __name = .*\n/, "import { __name } from 'adk-name';\n"],
  [/^__name\(([a-z]\w*), "\1"\);\n/gm, ''],
  // They would be made at every start, for a sign-in that Gantry never begins.
  [/^const (\w+MetadataSchema) = z\.object\(\{\n(?: .*\n)*\}\);\n/gm, 'const $1 = undefined;\n'],
  // esbuild removes nothing from an object that is exported, but what is unused of a namespace.
  [/^import \{ z \} from "zod";/m, 'import * as z from "zod";'],
  [/, z as z4 \} from "zod\/v4";/, ' } from "zod/v4";\nimport * as z4 from "zod/v4";'],
];

/**
 * ADK's own spans have names of tools and agents, and go to whatever SDK another extension has registered for the whole
 * process. Without a tracer, they go nowhere, and cost nothing.
 */
const NO_TRACER = `
const span = new Proxy({}, { get: () => () => span });
const tracer = { startSpan: () => span, startActiveSpan: (...given) => given.at(-1)(span) };
export const trace = { getTracer: () => tracer, getActiveSpan: () => undefined, setSpan: (context) => context };
export const context = {
  active: () => undefined,
  with: (_, run, self, ...given) => run.apply(self, given),
  bind: (_, run) => run,
};
export const metrics = {};
export const SpanStatusCode = { UNSET: 0, OK: 1, ERROR: 2 };
`;

const KEEPS_NAME = `
export const __name = (target, value) => Object.defineProperty(target, 'name', { value, configurable: true });
`;

/**
 * Bundles @google/adk 2.0.0 so that it loads and contains only what is used: 4.4 MB become 1.5 MB. This relies on the
 * package's file layout, so the version is pinned and a test runs a turn with the bundle.
 * @type {import('esbuild').Plugin}
 */
export const slimAdk = {
  name: 'slim-adk',
  setup(build) {
    // The package does not declare its modules free of side effects, so esbuild would not remove any of them.
    build.onResolve({ filter: /^@google\/adk$/ }, async ({ path, resolveDir, kind, pluginData }) => {
      if (pluginData === 'resolved') return undefined;
      const resolved = await build.resolve(path, { resolveDir, kind, pluginData: 'resolved' });
      return { ...resolved, sideEffects: false };
    });
    build.onResolve({ filter: /^\.\.?\// }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === 'resolved' || !/@google[\\/]adk[\\/]dist[\\/]/.test(importer)) return undefined;
      const resolved = await build.resolve(path, { resolveDir, kind, pluginData: 'resolved' });
      return { ...resolved, sideEffects: false };
    });
    // Optional peer dependencies of unused parts (database sessions, cloud storage, its own MCP and A2A servers).
    build.onResolve(
      { filter: /^(@google-cloud|@mikro-orm|@modelcontextprotocol|@a2a-js|express)\b/ },
      ({ path, importer }) =>
        /@google[\\/]adk[\\/]dist[\\/]/.test(importer) ? { path, external: true, sideEffects: false } : undefined,
    );
    build.onLoad({ filter: /@google[\\/]adk[\\/]dist[\\/]esm[\\/].*\.js$/ }, async ({ path }) => {
      const [, model = ''] = /[\\/]models[\\/](\w+)\.js$/.exec(path) ?? [];
      const replaced = LEFT_OUT_MODELS[model];
      if (replaced !== undefined) return { contents: leftOut(model) + replaced };
      const text = await readFile(path, 'utf8');
      return { contents: CHANGES.reduce((changed, [from, to]) => changed.replace(from, to), text) };
    });
    build.onResolve({ filter: /^adk-name$/ }, ({ path }) => ({ path, namespace: 'adk-name', sideEffects: false }));
    build.onLoad({ filter: /./, namespace: 'adk-name' }, () => ({ contents: KEEPS_NAME }));
    build.onResolve({ filter: /^@opentelemetry\/api$/ }, ({ path, importer }) =>
      /@google[\\/]adk[\\/]dist[\\/]/.test(importer) ? { path, namespace: 'no-tracer', sideEffects: false } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'no-tracer' }, () => ({ contents: NO_TRACER }));
    // ADK's default logger. Gantry's logger replaces it before the first run.
    build.onResolve({ filter: /^winston$/ }, () => ({ path: 'winston', namespace: 'silent-winston' }));
    build.onLoad({ filter: /.*/, namespace: 'silent-winston' }, () => ({ contents: SILENT_WINSTON }));
    // For zod 3 schemas, for arguments that ADK's own Gemini client streams, and for results with a JSON schema. Gantry
    // uses zod 4 and its own client, and gives its agents no schemas.
    build.onResolve({ filter: /^(zod-to-json-schema|jsonpath-plus|\.\/from-json-schema\.js)$/ }, ({ path }) => ({
      path,
      namespace: 'left-out-adk',
      sideEffects: false,
    }));
    build.onLoad({ filter: /./, namespace: 'left-out-adk' }, ({ path }) => ({
      contents: `${leftOut(path)}
        export { leftOut as zodToJsonSchema, leftOut as fromJSONSchema };
        export const JSONPath = { toPathArray: leftOut };`,
    }));
    onlyEnglishZod(build);
  },
};
