import type { Entry } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { answered, said, thought, tool } from './entries.ts';

/** A conversation with this many entries, of the kinds that occur in long ones. */
export function longConversation(count: number): Entry[] {
  return Array.from({ length: count }, (_, index) => entryAt(index));
}

function entryAt(index: number): Entry {
  const id = `e${index}`;
  switch (index % 10) {
    case 0:
      return said(`Question ${index}: what does module ${index} do, and who calls it?`, { id });
    case 1:
      return thought(`Looking at module ${index}.`, { id });
    case 9:
      return answered(answerText(index), { id });
    case 5:
      return tool('run_shell_command', {
        id,
        subject: `npm test -- ${index}`,
        summary: 'exit 0',
        detail: 'ok\n'.repeat(40),
      });
    default:
      return tool('read_file', {
        id,
        subject: `src/module-${index}.ts`,
        summary: '1–118',
        detail: 'line\n'.repeat(20),
      });
  }
}

function answerText(index: number): string {
  return [
    `Module ${index} reads the **tide table** and gives it to \`format\`. It is called from two places:`,
    `1. \`src/app.ts\`, when the panel opens\n2. \`src/cli.ts\`, for \`--list\``,
    '```ts\nexport function high(table: Table): number {\n  return Math.max(...table.levels);\n}\n```',
    `Nothing else depends on it, so answer ${index} ends here.`,
  ].join('\n\n');
}
