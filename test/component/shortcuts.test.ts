import assert from 'node:assert/strict';
import { PANEL_KEYS, type PanelKey } from '../../extension/vscode/input/slash/shortcuts.ts';
import { answered, asking, said, tool } from '../support/panel/entries.ts';
import { longConversation } from '../support/panel/long-conversation.ts';
import type { PanelOptions, PanelPage } from '../support/panel/panel-page.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';

/** Where keys are said to work. Those of one place are pressed one after another. */
const PLACES = {
  'in the input': {},
  'in the input during a run': { entries: [said('Go')], state: { running: true, startedAt: Date.now() } },
  'in the search': { entries: [said('Words'), answered('More words')] },
  'on an entry': { entries: [said('Why?'), tool('read_file', { subject: 'a.ts', detail: 'its text' })] },
  'in a long conversation': { entries: longConversation(300) },
  'on a question': { entries: [said('Go')] },
  'in the list of sessions': {},
} as const satisfies Readonly<Record<string, PanelOptions>>;

interface Proof {
  readonly place: keyof typeof PLACES;
  press(panel: PanelPage): Promise<unknown>;
}

/** What each key that is listed does, pressed where it is said to work. */
const PROOFS: Readonly<Record<PanelKey, Proof>> = {
  send: {
    place: 'in the input',
    press: async (panel) => {
      await panel.message.fill('Hi');
      await panel.message.press('Enter');
      const { text, ref } = await panel.next('send');
      assert.equal(text, 'Hi');
      await panel.post({ type: 'sent', ref });
    },
  },
  newLine: {
    place: 'in the input',
    press: async (panel) => {
      await panel.message.fill('a');
      await panel.message.press('Shift+Enter');
      await panel.message.press('b');
      assert.equal(await panel.message.inputValue(), 'a\nb');
    },
  },
  queue: {
    place: 'in the input during a run',
    press: async (panel) => {
      await panel.message.fill('Later');
      await panel.message.press('Alt+Enter');
      assert.equal((await panel.next('send')).delivery, 'queue');
    },
  },
  stop: {
    place: 'in the input during a run',
    press: async (panel) => {
      await panel.message.press('Escape');
      await panel.next('stop');
    },
  },
  recall: {
    place: 'in the input',
    press: async (panel) => {
      await panel.message.fill('');
      await panel.post({ type: 'input', sendKey: 'enter', history: ['What I said'] });
      await panel.message.press('ArrowUp');
      assert.equal(await panel.message.inputValue(), 'What I said');
      await panel.message.press('ArrowDown');
      assert.equal(await panel.message.inputValue(), '');
    },
  },
  mention: {
    place: 'in the input',
    press: async (panel) => {
      await panel.message.fill('');
      await panel.message.press('@');
      assert.equal((await panel.next('suggest')).about, 'mention');
    },
  },
  command: {
    place: 'in the input',
    press: async (panel) => {
      await panel.message.fill('');
      await panel.message.press('/');
      assert.equal((await panel.next('suggest')).about, 'command');
    },
  },
  shell: {
    place: 'in the input',
    press: async (panel) => {
      await panel.message.fill('');
      await panel.message.pressSequentially('!ls');
      assert.equal(
        await panel.page.locator('#as-command').textContent(),
        'Run a command',
        'it says what Enter will do',
      );
      assert.equal(await panel.message.getAttribute('aria-describedby'), 'as-command');
      await panel.message.press('Enter');
      assert.equal((await panel.next('runCommand')).command, 'ls');
    },
  },
  removeAttachment: {
    place: 'in the input',
    press: async (panel) => {
      await panel.message.fill('');
      await panel.post({ type: 'attachments', attachments: [{ id: 'a', kind: 'file', label: 'a.ts' }] });
      await panel.message.press('Backspace');
      assert.equal((await panel.next('removeAttachment')).id, 'a');
    },
  },
  find: {
    place: 'in the search',
    press: (panel) => openFind(panel),
  },
  findNext: {
    place: 'in the search',
    press: (panel) => goToMatch(panel, 'F3', 'next'),
  },
  findPrevious: {
    place: 'in the search',
    press: (panel) => goToMatch(panel, 'Shift+F3', 'previous'),
  },
  walk: {
    place: 'on an entry',
    press: async (panel) => {
      await walkToLast(panel);
      await panel.page.keyboard.press('ArrowRight');
      await panel.conversation.getByText('its text').waitFor();
      await panel.page.keyboard.press('ArrowLeft');
      await panel.conversation.getByText('its text').waitFor({ state: 'detached' });
    },
  },
  openEntry: {
    place: 'on an entry',
    press: async (panel) => {
      await walkToLast(panel);
      await panel.page.keyboard.press('Enter');
      assert.equal((await panel.next('openFile')).path, 'a.ts');
    },
  },
  ends: {
    place: 'in a long conversation',
    press: async (panel) => {
      await panel.conversation.getByText('so answer 299 ends here').waitFor();
      await panel.conversation.focus();
      await panel.page.keyboard.press('Home');
      await panel.conversation.getByText('Question 0:').waitFor();
      await panel.page.keyboard.press('End');
      await panel.conversation.getByText('so answer 299 ends here').waitFor();
    },
  },
  allow: {
    place: 'on a question',
    press: (panel) => answer(panel, 'Enter', 'once'),
  },
  reject: {
    place: 'on a question',
    press: (panel) => answer(panel, 'Backspace', undefined),
  },
  renameSession: {
    place: 'in the list of sessions',
    press: async (panel) => {
      await openSessions(panel);
      await panel.page.keyboard.press('F2');
      const name = panel.page.getByRole('textbox', { name: /name/i });
      await name.waitFor();
      await name.press('Escape');
      await closeSessions(panel);
    },
  },
  deleteSession: {
    place: 'in the list of sessions',
    press: async (panel) => {
      await openSessions(panel);
      await panel.page.keyboard.press('Delete');
      assert.equal((await panel.next('deleteSession')).id, 'a');
      await closeSessions(panel);
    },
  },
  closeSheet: {
    place: 'in the list of sessions',
    press: async (panel) => {
      await openSessions(panel);
      await closeSessions(panel);
    },
  },
};

describe('the keys that are listed', () => {
  const bench = usePanel();

  for (const [place, options] of Object.entries(PLACES)) {
    const keys = PANEL_KEYS.filter((key) => PROOFS[key].place === place);
    it(`do what is said of them ${place}: ${keys.join(', ')}`, async () => {
      const panel = await bench.open(options);
      await panel.message.waitFor();
      for (const key of keys) {
        await PROOFS[key].press(panel).catch((cause: unknown) => {
          throw new Error(`The key "${key}" does not do what is said of it.`, { cause });
        });
      }
    });
  }

  it('are asked for from the empty state', async () => {
    const panel = await bench.open();
    await panel.page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    assert.equal((await panel.next('slash')).text, '/shortcuts');
  });
});

async function walkToLast(panel: PanelPage): Promise<void> {
  await panel.conversation.focus();
  await panel.page.keyboard.press('ArrowDown');
  await panel.page.keyboard.press('ArrowDown');
}

async function openFind(panel: PanelPage): Promise<void> {
  await panel.conversation.getByText('Words', { exact: true }).waitFor();
  await panel.message.press('Control+f');
  await panel.page.getByRole('textbox', { name: 'Find in conversation' }).waitFor();
}

async function goToMatch(panel: PanelPage, key: string, go: 'next' | 'previous'): Promise<void> {
  await openFind(panel);
  await panel.page.getByRole('textbox', { name: 'Find in conversation' }).fill('words');
  await panel.page.getByRole('search').getByText(/of 2/).waitFor();
  await panel.page.keyboard.press(key);
  await eventually('the step', () => panel.received.some((message) => message.type === 'find' && message.go === go));
}

/** A card does not take keys that were meant for what stood there before it came. */
async function answer(panel: PanelPage, key: string, decision: string | undefined): Promise<void> {
  const question = asking('run_shell_command', 'ls', { id: key });
  const answers = () =>
    panel.received
      .filter((message) => message.type === 'answer')
      .filter(({ requestId }) => requestId === question.approval?.requestId);
  await panel.put(question);
  await panel.post({ type: 'focusApproval' });
  await eventually('focus on the card', () => panel.page.evaluate(() => document.activeElement?.matches('.ask')));
  await eventually('the answer', async () => {
    await panel.page.keyboard.press(`Control+${key}`);
    return answers().length > 0;
  });
  assert.equal(answers()[0]?.decision, decision);
  await panel.put(tool('run_shell_command', { id: key, subject: 'ls' }));
}

async function openSessions(panel: PanelPage): Promise<void> {
  await panel.page.getByRole('button', { name: 'Sessions' }).click();
  const session = { updatedAt: Date.now(), messages: 3, pinned: false, current: false };
  await panel.post({ type: 'sessions', sessions: [{ ...session, id: 'a', title: 'The tide table' }] });
  await panel.page.getByRole('option', { name: 'The tide table' }).waitFor();
  await panel.page.getByRole('combobox', { name: 'Search sessions' }).focus();
}

async function closeSessions(panel: PanelPage): Promise<void> {
  await panel.page.keyboard.press('Escape');
  await panel.page.getByRole('listbox', { name: 'Sessions' }).waitFor({ state: 'detached' });
}
