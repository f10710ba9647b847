/** Files in which only a part of the text decides what runs. */
export type PartlyProtected = 'package' | 'git settings' | 'git folder';

/**
 * The part of a file's text that decides what runs. Texts with an equal part have the same effect; an empty part means
 * the same as no file.
 */
export function tellingPart(kind: PartlyProtected, text: string): string {
  switch (kind) {
    case 'package':
      return scriptsOf(text);
    case 'git settings':
      return settingsOf(text);
    case 'git folder':
      // A `commondir` that names the folder itself has the same effect as no file.
      return text.trim() === '.' ? '' : text;
  }
}

/** Keys with commands that package managers, and hooks installed from the manifest, run. */
const RUNS = ['scripts', 'husky', 'lint-staged', 'simple-git-hooks', 'gitHooks', 'pre-commit', 'wireit', 'nx'];

/** Returns the whole text if it isn't valid JSON, because another program might still read something in it. */
function scriptsOf(text: string): string {
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof manifest !== 'object' || manifest === null) return text;
    const runs = Object.entries(manifest).filter(([key]) => RUNS.includes(key));
    return runs.length === 0 ? '' : JSON.stringify(Object.fromEntries(runs));
  } catch {
    return text;
  }
}

/** Settings that Git itself writes, and the branch to compare with. Any other could name a program or a server. */
const HARMLESS: readonly (readonly [section: RegExp, line: RegExp])[] = [
  [
    /^core$/,
    /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks) = [\w.-]+$/,
  ],
  [/^user$/, /^(?:name|email) = [^\\]*$/],
  [/^branch /, /^(?:remote = (?:\.|[\w][\w.-]*)|merge = refs\/heads\/[^\\]+|(?:rebase|vscode-merge-base) = [\w./-]+)$/],
];

function settingsOf(text: string): string {
  const telling: string[] = [];
  let section = '';
  for (const raw of text.split('\n')) {
    const header = /^\s*\[\s*([^\]"]*?)\s*("(?:[^"\\]|\\.)*")?\s*\]/.exec(raw);
    if (header) section = `${header[1]?.toLowerCase()}${header[2] === undefined ? '' : ` ${header[2]}`}`;
    const line = raw
      .slice(header?.[0].length ?? 0)
      .trim()
      .replace(/^([\w-]+)\s*=\s*/, (_, key: string) => `${key.toLowerCase()} = `);
    if (line === '' || /^[#;]/.test(line)) continue;
    const isHarmless = HARMLESS.some(([where, what]) => where.test(section) && what.test(line));
    if (!isHarmless) telling.push(`[${section}] ${line}`);
  }
  return telling.join('\n');
}
