/** One package per platform, named as in VS Code. */
export const TARGETS = [
  'linux-x64',
  'linux-arm64',
  'darwin-x64',
  'darwin-arm64',
  'win32-x64',
  'win32-arm64',
  'alpine-x64',
] as const;

export type Target = (typeof TARGETS)[number];

export function isTarget(text: string): text is Target {
  return TARGETS.some((target) => target === text);
}

/** The target of this machine, if there is one. */
export function thisTarget(): Target | undefined {
  const name = `${process.platform}-${process.arch}`;
  return isTarget(name) ? name : undefined;
}

export interface PlatformPart {
  readonly npmPackage: string;
  /** The folder in the package that is used. */
  readonly from: string;
  /** The path below `dist/assets`. */
  readonly to: string;
}

/** The npm packages with the programs of a target. For this machine, build/assets.mjs copies the same ones. */
export function platformParts(target: Target): readonly PlatformPart[] {
  const onAlpine = target === 'alpine-x64';
  // Alpine has another libc. ripgrep includes its own; the terminal module does not, and is published only for glibc.
  const ripgrep = `@vscode/ripgrep-${onAlpine ? 'linux-x64' : target}`;
  const terminal = `@lydell/node-pty-${target}`;
  return [
    { npmPackage: ripgrep, from: 'bin', to: '.' },
    ...(onAlpine ? [] : [{ npmPackage: terminal, from: '.', to: `node_modules/${terminal}` }]),
  ];
}
