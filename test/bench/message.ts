import { stream } from '../support/gemini/script.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { inWindow } from './bench-window.ts';
import { median } from './statistics.ts';
import { seen, watchFor } from './window-probes.ts';

const MESSAGES = 21;

export interface MessageFigures {
  /** From Enter to the arrival of the request, in ms: for the first message of a window, and the median of 20 more. */
  readonly request: { readonly first: number; readonly later: number };
  /** From Enter to the first word of the answer on the screen. The model answers at once. */
  readonly painted: { readonly first: number; readonly later: number };
}

export async function measureMessages(): Promise<MessageFigures> {
  const workspace = await createTempWorkspace({ 'a.txt': 'alpha\n' });
  try {
    return await inWindow(workspace.path, async ({ gemini, workbench, chat }) => {
      const [requests, paints]: [number[], number[]] = [[], []];
      for (let message = 1; message <= MESSAGES; message++) {
        const text = `Answer${String(message).padStart(2, '0')}`;
        gemini.reply(...stream(text, ' and some more.'));
        await chat.input.fill('Go');
        const frame = await workbench.chatFrame();
        await frame.evaluate(watchFor, { key: 'Enter', selector: '.log', text });
        await chat.input.press('Enter');
        const { receivedAt } = await gemini.waitForRequest(message);
        const { pressed, painted } = await eventually('the answer', () => frame.evaluate(seen));
        requests.push(performance.timeOrigin + receivedAt - pressed);
        paints.push(painted - pressed);
        await chat.finished();
      }
      return { request: firstAndLater(requests), painted: firstAndLater(paints) };
    });
  } finally {
    await workspace.dispose();
  }
}

function firstAndLater([first = Number.NaN, ...later]: readonly number[]): MessageFigures['request'] {
  return { first, later: median(later) };
}
