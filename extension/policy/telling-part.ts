/** Files of which only a part decides what runs. */
export type PartlyProtected = 'package' | 'git settings' | 'git folder';

/** What of a file's text counts. Two texts of which this is the same do the same; empty is as good as no file. */
export function tellingPart(kind: PartlyProtected, text: string): string {
  switch (kind) {
    case 'package':
      return scriptsOf(text);
    case 'git settings':
      return settingsOf(text);
    case 'git folder':
      // The folder itself, which is what holds without the file.
      return text.trim() === '.' ? '' : text;
  }
}

/** What package managers, and hooks that are installed from there, run. */
const RUNS = ['scripts', 'husky', 'lint-staged', 'simple-git-hooks', 'gitHooks', 'pre-commit', 'wireit', 'nx'];

/** Of a text that is no JSON, all of it: nobody can tell what somebody else reads in it. */
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

/** What Git itself writes there, and what a branch is compared with. Anything else may name a program or a server. */
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
