export function cutLongOutput(
  text: string,
  { threshold, file }: { threshold: number; file: string | undefined },
): string {
  const head = Math.floor(threshold / 5);
  return `${text.slice(0, head)}\n[… ${text.length - threshold} characters left out; all of it is in ${file ?? 'no file'} …]\n${text.slice(head - threshold)}`;
}
