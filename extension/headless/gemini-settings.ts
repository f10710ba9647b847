import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { geminiHome } from '../policy/gemini-home.ts';
import { readJson } from '../policy/json-with-comments.ts';
import { isObject } from '../protocol/is-object.ts';

/**
 * `modelConfigs` of the user's own settings of Gemini CLI, unread. Those of the folder are not looked at: it is not for a folder to
 * say which model is asked, or how.
 */
export function modelConfigsOfUser(environment: Readonly<Record<string, string | undefined>>, home: string): unknown {
  try {
    const read = readJson(readFileSync(join(geminiHome(environment, home), '.gemini', 'settings.json'), 'utf8'));
    return 'value' in read && isObject(read.value) ? read.value['modelConfigs'] : undefined;
  } catch {
    // None, or none that can be read. What is wrong in it is told when hooks are looked for there.
    return undefined;
  }
}
