import type {
  ToolDisplay,
  ToolRequestEvent,
  ToolResponseEvent,
  ToolUpdateEvent,
} from '../protocol/agent/agent-event.ts';
import { plainTerminalText } from '../protocol/words/terminal-lines.ts';

/** Enough to follow a call. The whole result is in the log. */
const MAX_TEXT = 16_000;

/** What a client learns about a call. */
export function toolData(event: ToolRequestEvent | ToolUpdateEvent | ToolResponseEvent): Record<string, unknown> {
  const { type, requestId: callId, display } = event;
  switch (type) {
    case 'tool_request': {
      const { name, args, kind, paths } = event;
      const title = [display?.name ?? name, display?.description].filter((word) => word).join(': ');
      return { type, callId, name, title, args, ...(kind && { kind }), ...(paths && { paths }) };
    }
    case 'tool_update':
      return { type, callId, ...textOf(event) };
    case 'tool_response': {
      const { name, isError = false } = event;
      const summary = display?.resultSummary ? { summary: display.resultSummary } : {};
      return { type, callId, name, isError, ...summary, ...textOf(event) };
    }
  }
}

function textOf({ display, content = [] }: ToolUpdateEvent | ToolResponseEvent): { readonly text?: string } {
  const said = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const text = said || shownText(display?.result);
  return text === '' ? {} : { text: text.length > MAX_TEXT ? `…${text.slice(-MAX_TEXT)}` : text };
}

function shownText(shown: ToolDisplay['result']): string {
  switch (shown?.type) {
    case 'text':
      return shown.text;
    case 'terminal': {
      const ended = shown.exitCode ? `\nExit code ${shown.exitCode}` : '';
      return `${plainTerminalText(shown.ansi ?? '').trim()}${ended}`;
    }
    case 'diff':
      return shown.patch ?? '';
    default:
      return '';
  }
}
