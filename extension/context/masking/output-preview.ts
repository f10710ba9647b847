import { firstChars, lastChars } from '../../text/long-output.ts';

const SHELL = 'run_shell_command';
/** As in Gemini CLI. */
const MOST_LINES = 20;
const SHOWN_LINES = 10;
const MOST_CHARS = 500;
const SHOWN_CHARS = 250;

/** Enough of an old output to know what it was. */
export function outputPreview(tool: string, text: string): string {
  return tool === SHELL ? shellPreview(text) : charPreview(text);
}

/** What a command wrote is shortened; how it ended, which stands behind the mark around it, is not. */
function shellPreview(text: string): string {
  const at = text.lastIndexOf(CLOSE);
  if (at < 0) return linePreview(text);
  const end = at + CLOSE.length;
  return `${linePreview(text.slice(0, end))}${linePreview(text.slice(end))}`;
}

function linePreview(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= MOST_LINES) return lines.map(charPreview).join('\n');
  const omitted = lines.length - 2 * SHOWN_LINES;
  return joined(
    lines.slice(0, SHOWN_LINES).map(charPreview).join('\n'),
    `[… ${omitted} lines left out …]`,
    lines.slice(-SHOWN_LINES).map(charPreview).join('\n'),
  );
}

function charPreview(text: string): string {
  if (text.length <= MOST_CHARS) return text;
  const omitted = text.length - 2 * SHOWN_CHARS;
  return joined(firstChars(text, SHOWN_CHARS), `[… ${omitted} characters left out …]`, lastChars(text, SHOWN_CHARS));
}

/** What was marked as foreign stays marked, also when one end of the mark was omitted. */
function joined(head: string, note: string, tail: string): string {
  const closed = head.lastIndexOf(OPEN) > head.lastIndexOf(CLOSE) ? `${head}\n${CLOSE}` : head;
  const [open, close] = [tail.indexOf(OPEN), tail.indexOf(CLOSE)];
  const opened = close >= 0 && (open < 0 || open > close) ? `${OPEN}\n${tail}` : tail;
  return `${closed}\n${note}\n${opened}`;
}

const OPEN = '<untrusted_context>';
const CLOSE = '</untrusted_context>';
