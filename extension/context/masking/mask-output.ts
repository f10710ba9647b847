import { join } from 'node:path';
import type { Part } from '@google/genai';
import { once } from '../../base/once.ts';
import { firstChars, lastChars, outputFileName, wholeOutputFile } from '../../text/long-output.ts';
import { describeMedia, MEDIA_KEY, responseMedia } from '../media-line.ts';

/** The replacement for an output of a request. */
export interface MaskedOutput {
  /** The part with the replacement. */
  readonly part: Part;
  /** The text to save before the request is sent. Absent if a file already has the full output. */
  readonly toSave?: { readonly path: string; readonly text: string };
}

/** Replaces an old output. `folder` is the session's folder for outputs; undefined if outputs are not kept. */
export function maskOutput(part: Part, folder: string | undefined): MaskedOutput {
  const { name = '', id = '' } = part.functionResponse ?? {};
  const text = outputText(part);
  const preview = outputPreview(name, text).replace(TAG, '&lt;');
  const media = responseMedia(part).map((item) => `[${describeMedia(item)}: no longer in the conversation.]`);
  const whole = folder === undefined ? undefined : join(folder, outputFileName(name, id));
  const isCut = whole !== undefined && wholeOutputFile(text) === whole;
  const path = isCut || folder === undefined ? whole : join(folder, outputFileName(name, id, text));
  const output = ['<tool_output_masked>', preview, ...media, '', whereItIs(path, text), '</tool_output_masked>'];
  const masked = { ...part, functionResponse: { ...part.functionResponse, response: { output: output.join('\n') } } };
  return { part: masked, ...(path !== undefined && !isCut && { toSave: { path, text } }) };
}

/** The output must not close the tag around it. */
const TAG = /<(?=\s*\/?\s*tool_output_masked)/gi;

/** The tool's own text if the response is only text, so that it can be read line by line; otherwise, JSON. */
function outputText(part: Part): string {
  const { [MEDIA_KEY]: _, ...response } = part.functionResponse?.response ?? {};
  const { output, error, ...others } = response;
  const text = output ?? error;
  const isText = typeof text === 'string' && Object.keys(response).length === 1 && Object.keys(others).length === 0;
  return isText ? text : JSON.stringify(response, null, 2);
}

function whereItIs(path: string | undefined, text: string): string {
  const lines = numbers().format(text.split('\n').length);
  const size = numbers().format(text.length);
  if (path === undefined) return `The output had ${lines} lines and was not kept. Call the tool again if you need it.`;
  return `This is an old output of ${lines} lines (${size} characters). All of it is in ${path}: use read_file to see more.`;
}

/** Making a format takes much longer than using it, and few requests need one. */
const numbers = once(() => new Intl.NumberFormat('en-US'));

const SHELL = 'run_shell_command';
/** As in Gemini CLI. */
const MOST_LINES = 20;
const SHOWN_LINES = 10;
const MOST_CHARS = 500;
const SHOWN_CHARS = 250;

/** Enough of an old output to recognize it. */
function outputPreview(tool: string, text: string): string {
  return tool === SHELL ? shellPreview(text) : charPreview(text);
}

/** Shortens the output of a command, but keeps its exit status, which follows the closing tag. */
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

/** Keeps untrusted text marked, even if one of its tags was cut off. */
function joined(head: string, note: string, tail: string): string {
  const closed = head.lastIndexOf(OPEN) > head.lastIndexOf(CLOSE) ? `${head}\n${CLOSE}` : head;
  const [open, close] = [tail.indexOf(OPEN), tail.indexOf(CLOSE)];
  const opened = close >= 0 && (open < 0 || open > close) ? `${OPEN}\n${tail}` : tail;
  return `${closed}\n${note}\n${opened}`;
}

const OPEN = '<untrusted_context>';
const CLOSE = '</untrusted_context>';
