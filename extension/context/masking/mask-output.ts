import { join } from 'node:path';
import type { Part } from '@google/genai';
import { outputFileName, wholeOutputFile } from '../../text/long-output.ts';
import { describeMedia } from '../media-line.ts';
import { MEDIA_KEY, responseMedia } from '../response-media.ts';
import { outputPreview } from './output-preview.ts';

/** An output in the request that was put into a file. */
export interface MaskedOutput {
  /** With what replaces it. */
  readonly part: Part;
  /** What has to be in a file before the request is sent. Absent when there is one that has more. */
  readonly toSave?: { readonly path: string; readonly text: string };
}

/** What replaces an old output. `folder`: where outputs of the session go; undefined where nothing is kept. */
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

/** An output cannot end the mark around it. */
const TAG = /<(?=\s*\/?\s*tool_output_masked)/gi;

/** As the tool gave it, where it gave a text: that can be read by lines. */
function outputText(part: Part): string {
  const { [MEDIA_KEY]: _, ...response } = part.functionResponse?.response ?? {};
  const { output, error, ...others } = response;
  const text = output ?? error;
  const isText = typeof text === 'string' && Object.keys(response).length === 1 && Object.keys(others).length === 0;
  return isText ? text : JSON.stringify(response, null, 2);
}

function whereItIs(path: string | undefined, text: string): string {
  const lines = text.split('\n').length.toLocaleString('en-US');
  const size = text.length.toLocaleString('en-US');
  if (path === undefined) return `The output had ${lines} lines and was not kept. Call the tool again if you need it.`;
  return `This is an old output of ${lines} lines (${size} characters). All of it is in ${path}: use read_file to see more.`;
}
