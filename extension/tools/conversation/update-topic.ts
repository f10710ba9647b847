import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { Tool, ToolResult } from '../../ports/tool.ts';
import { oneLine } from '../../text/one-line.ts';

const topicSchema = once(() =>
  z.object({
    title: z.string().max(200).optional().describe('Short title of the new phase. Omit it to stay in the current one.'),
    summary: z.string().max(2000).optional().describe('What you have done so far, in a few sentences.'),
    strategic_intent: z.string().min(1).max(1000).describe('What you will do next and why, in one sentence.'),
  }),
);

type Topic = z.infer<ReturnType<typeof topicSchema>>;

export function createUpdateTopicTool(): Tool<ReturnType<typeof topicSchema>> {
  return {
    name: 'update_topic',
    displayName: 'Update Topic',
    kind: 'think',
    description:
      'Tells the user that a new phase of a longer task begins and what you do next. Call it when the phase changes, together with the first calls of the phase, not for every step.',
    get schema() {
      return topicSchema();
    },
    describe: ({ title, strategic_intent: intent }) => firstText(title, intent),
    execute: (args) => Promise.resolve(noteTopic(args)),
  };
}

function firstText(...candidates: readonly unknown[]): string {
  const text = candidates.find((candidate) => typeof candidate === 'string' && candidate.trim() !== '');
  return typeof text === 'string' ? oneLine(text, 200) : '';
}

function noteTopic({ title, summary, strategic_intent: intent }: Topic): ToolResult {
  const text = [summary, intent].flatMap((part) => (part?.trim() ? [oneLine(part, 2000)] : [])).join('\n');
  const heading = firstText(title, intent);
  return {
    content: `Noted. Topic: ${heading}`,
    display: { name: heading, resultSummary: null, result: { type: 'text', text }, format: 'notice' },
    data: { topic: { title, summary, strategicIntent: intent } },
  };
}
