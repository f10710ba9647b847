/**
 * Variables that change how Gantry signs in, or leak the surrounding VS Code, Electron or Node into the one under test.
 */
const surprising = /^(GEMINI_|GOOGLE_|GCLOUD_|CLOUDSDK_|GANTRY_|VSCODE_|ELECTRON_|OTEL_|NODE_OPTIONS$|npm_)/;

/** The environment of a VS Code under test: the same on a developer's machine with keys as on a bare one. */
export function cleanEnvironment(
  given: Readonly<Record<string, string>> = {},
  from: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const kept = Object.entries(from).filter(([name]) => !surprising.test(name));
  return { ...Object.fromEntries(kept), ...given };
}
