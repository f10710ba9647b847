import type { Content, Part } from '@google/genai';

const PART_DATA = [
  'text',
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
] as const satisfies readonly (keyof Part)[];

/**
 * The error Google gives to a history it does not accept, so that a session which would be stuck with the real API is
 * stuck here too (google-gemini/gemini-cli#5443). Neighbouring contents of one role count as one turn.
 */
export function historyError(contents: readonly Content[]): string | undefined {
  if (contents.length === 0) return '* GenerateContentRequest.contents: contents is not specified\n';
  return shapeError(contents) ?? toolTurnError(toTurns(contents));
}

function shapeError(contents: readonly Content[]): string | undefined {
  for (const [index, { parts = [], role = 'user' }] of contents.entries()) {
    const place = `* GenerateContentRequest.contents[${index}].parts`;
    if (!['user', 'model', 'function'].includes(role)) return 'Please use a valid role: user, model.';
    if (parts.length === 0) return `${place}: contents.parts must not be empty.\n`;
    const empty = parts.findIndex((part) => PART_DATA.every((field) => part[field] === undefined));
    if (empty >= 0) return `${place}[${empty}].data: required oneof field 'data' must have one initialized field\n`;
  }
  return undefined;
}

interface Turn {
  readonly byModel: boolean;
  calls: number;
  responses: number;
}

function toTurns(contents: readonly Content[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const { parts = [], role } of contents) {
    const byModel = role === 'model';
    let turn = turns.at(-1);
    if (turn?.byModel !== byModel) {
      turn = { byModel, calls: 0, responses: 0 };
      turns.push(turn);
    }
    turn.calls += parts.filter((part) => part.functionCall).length;
    turn.responses += parts.filter((part) => part.functionResponse).length;
  }
  return turns;
}

function toolTurnError(turns: readonly Turn[]): string | undefined {
  for (const [index, turn] of turns.entries()) {
    if (turn.calls > 0 && index === 0) {
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
    }
    if (turn.calls > 0 && turns[index + 1]?.responses !== turn.calls) {
      return (
        'Please ensure that the number of function response parts is equal to the number of function call parts ' +
        'of the function call turn.'
      );
    }
    if (turn.responses > 0 && !turns[index - 1]?.calls) {
      return 'Please ensure that function response turn comes immediately after a function call turn.';
    }
  }
  return undefined;
}
