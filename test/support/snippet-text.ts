/** What VS Code inserts for a snippet if nothing is filled in: the defaults, and the first of several choices. */
export function snippetText(snippet: string): string {
  const text = snippet.replace(/\$\{\d+\|((?:[^|\\]|\\.)*)\|\}/g, (_, choices: string) => choices.split(',')[0] ?? '');
  return text.replace(/\$\{\d+:((?:[^}\\]|\\.)*)\}|\$0/g, '$1').replace(/\\([\\$}])/g, '$1');
}
