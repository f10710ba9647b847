/** Names of languages in code fences that differ from VS Code's ids. */
const IDS: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  jsx: 'javascriptreact',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  golang: 'go',
  sh: 'shellscript',
  bash: 'shellscript',
  zsh: 'shellscript',
  shell: 'shellscript',
  ps1: 'powershell',
  yml: 'yaml',
  md: 'markdown',
  cs: 'csharp',
  'c++': 'cpp',
  kt: 'kotlin',
  docker: 'dockerfile',
  patch: 'diff',
};

/** Returns the language id for an editor. Unknown languages are plain text. */
export function editorLanguage(fence: string, known: readonly string[]): string {
  const name = fence.toLowerCase();
  const id = (Object.hasOwn(IDS, name) ? IDS[name] : undefined) ?? name;
  return known.includes(id) ? id : 'plaintext';
}
