import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import { EventTranslator } from '../../../extension/runtime/events/event-translator.ts';
import { readLog } from '../../../extension/sessions/store/read-log.ts';

/**
 * The events of a log. Fails if more of it is damaged than the line that was being written when its process was killed.
 * A process that is killed while it creates a session leaves an empty file.
 */
export async function wholeLog(path: string): Promise<AgentEvent[]> {
  const text = await readFile(path, 'utf8');
  if (text === '') return [];
  const { header, records, damage } = await readLog(path);
  const lines = text.split('\n').filter((line) => line !== '').length;
  for (const { line, reason } of damage) assert.equal(line, lines, `${path}, line ${line} of ${lines}: ${reason}`);
  const translator = new EventTranslator();
  return [header, ...records].flatMap((record) => translator.translate(record));
}
