/** "2 errors, 1 warning in 2 files" */
export function problemsDetail(all: readonly { readonly file: string; readonly isError: boolean }[]): string {
  const errors = all.filter(({ isError }) => isError).length;
  const files = new Set(all.map(({ file }) => file)).size;
  const kinds = [counted(errors, 'error'), counted(all.length - errors, 'warning')].filter((words) => words !== '');
  return `${kinds.join(', ')} in ${counted(files, 'file')}`;
}

function counted(count: number, word: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

/** For the model: each with its file. `more` are not among them. */
export function problemsText(each: readonly { readonly place: string; readonly text: string }[], more: number): string {
  const texts = each.map(({ place, text }) => `${place}\n${text}`);
  return [...texts, ...(more > 0 ? [`(${more} more are not listed.)`] : [])].join('\n\n');
}
