import { type Proposal, type ToolResult, toolError } from '../ports/tool.ts';
import { cutPatch, unifiedDiff } from '../text/unified-diff.ts';
import { readAnswer } from './approval-question.ts';
import type { GivenAnswer } from './confirmation-broker.ts';

const MAX_DIFF_CHARS = 20_000;

/** The result after an approval timed out. The model gets the user's draft, and the card still shows it. */
export function unanswered({ requestId, content }: GivenAnswer, proposal: Proposal | undefined): ToolResult {
  const timeout = Number(content['timeout']);
  const begun = begunAnswer(content, proposal);
  const told = begun === '' ? '' : ` The user had begun an answer without giving it:\n${begun}`;
  const message = `Nobody answered within ${timeout} ${timeout === 1 ? 'minute' : 'minutes'}, so this was not done. ${NO_YES}${told}`;
  // The timeout says nothing about other edits, which the user may be reading.
  const data = { timeout, question: requestId, alone: true, ...(begun !== '' && { begun }) };
  return { ...toolError('rejected', message), data };
}

const NO_YES =
  'Do not try to reach the same in another way. Continue with what does not need it, or stop and say what requires approval.';

function begunAnswer(content: GivenAnswer['content'], proposal: Proposal | undefined): string {
  const { contents = {}, feedback = '' } = readAnswer(content);
  const edits = proposal?.kind === 'edit' ? proposal.edits : [];
  const changes = edits.flatMap(({ path, label, after }) => {
    const text = contents[path];
    const diff = text === undefined ? '' : unifiedDiff(after, text);
    return diff === ''
      ? []
      : [`${label}, from what was proposed to what the user made of it:\n${cutPatch(diff, MAX_DIFF_CHARS)}`];
  });
  return [feedback, ...changes].filter((part) => part !== '').join('\n\n');
}
