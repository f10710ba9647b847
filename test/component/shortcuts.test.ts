import assert from 'node:assert/strict';
import { PANEL_KEYS, type PanelKey } from '../../extension/vscode/input/slash/shortcuts.ts';
import { answered, asking, said, tool } from '../support/panel/entries.ts';
import { longConversation } from '../support/panel/long-conversation.ts';
import type { PanelOptions, PanelPage } from '../support/panel/panel-page.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';

interface Proof {
  readonly options?: PanelOptions;
  press(panel: PanelPage): Promise<unknown>;
}

const RUNNING: PanelOptions = { entries: [said('Go')], state: { running: true, startedAt: Date.now() } };

/** What each key that is listed does, pressed where it is said to work. */
const PROOFS: Readonly<Record<PanelKey, Proof>> = {
  send: {
    press: async (panel) => {
      await panel.message.fill('Hi');
      await panel.message.press('Enter');
      assert.equal((await panel.next('send')).text, 'Hi');
    },
  },
  newLine: {
    press: async (panel) => {
      await panel.message.fill('a');
      await panel.message.press('Shift+Enter');
      await panel.message.press('b');
      assert.equal(await panel.message.inputValue(), 'a\nb');
    },
  },
  queue: {
    options: RUNNING,
    press: async (panel) => {
      await panel.message.fill('Later');
      await panel.message.press('Alt+Enter');
      assert.equal((await panel.next('send')).delivery, 'queue');
    },
  },
  stop: {
    options: RUNNING,
    press: async (panel) => {
      await panel.message.press('Escape');
      await panel.next('stop');
    },
  },
  recall: {
    press: async (panel) => {
      await panel.post({ type: 'input', sendKey: 'enter', history: ['What I said'] });
      await panel.message.press('ArrowUp');
      assert.equal(await panel.message.inputValue(), 'What I said');
      await panel.message.press('ArrowDown');
      assert.equal(await panel.message.inputValue(), '');
    },
  },
  mention: {
    press: async (panel) => {
      await panel.message.press('@');
      assert.equal((await panel.next('suggest')).about, 'mention');
    },
  },
  command: {
    press: async (panel) => {
      await panel.message.press('/');
      assert.equal((await panel.next('suggest')).about, 'command');
    },
  },
  shell: {
    press: async (panel) => {
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
    press: async (panel) => {
      await panel.post({ type: 'attachments', attachments: [{ id: 'a', kind: 'file', label: 'a.ts' }] });
      await panel.message.press('Backspace');
      assert.equal((await panel.next('removeAttachment')).id, 'a');
    },
  },
  find: { options: { entries: [said('Words')] }, press: (panel) => openFind(panel) },
  findNext: {
    options: { entries: [said('Words'), answered('More words')] },
    press: (panel) => goToMatch(panel, 'F3', 'next'),
  },
  findPrevious: {
    options: { entries: [said('Words'), answered('More words')] },
    press: (panel) => goToMatch(panel, 'Shift+F3', 'previous'),
  },
  walk: {
    options: { entries: [said('Why?'), tool('read_file', { subject: 'a.ts', detail: 'its text' })] },
    press: async (panel) => {
      await walkToLast(panel);
      await panel.page.keyboard.press('ArrowRight');
      await panel.conversation.getByText('its text').waitFor();
      await panel.page.keyboard.press('ArrowLeft');
      await panel.conversation.getByText('its text').waitFor({ state: 'detached' });
    },
  },
  openEntry: {
    options: { entries: [said('Why?'), tool('read_file', { subject: 'a.ts', detail: 'its text' })] },
    press: async (panel) => {
      await walkToLast(panel);
      await panel.page.keyboard.press('Enter');
      assert.equal((await panel.next('openFile')).path, 'a.ts');
    },
  },
  ends: {
    options: { entries: longConversation(300) },
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
    options: { entries: [asking('run_shell_command', 'ls')] },
    press: (panel) => answer(panel, 'Enter', 'once'),
  },
  reject: {
    options: { entries: [asking('run_shell_command', 'ls')] },
    press: (panel) => answer(panel, 'Backspace', undefined),
  },
  renameSession: {
    press: async (panel) => {
      await openSessions(panel);
      await panel.page.keyboard.press('F2');
      await panel.page.getByRole('textbox', { name: /name/i }).waitFor();
    },
  },
  deleteSession: {
    press: async (panel) => {
      await openSessions(panel);
      await panel.page.keyboard.press('Delete');
      assert.equal((await panel.next('deleteSession')).id, 'a');
    },
  },
  closeSheet: {
    press: async (panel) => {
      await openSessions(panel);
      await panel.page.keyboard.press('Escape');
      await panel.page.getByRole('listbox', { name: 'Sessions' }).waitFor({ state: 'detached' });
    },
  },
};

describe('the keys that are listed', () => {
  const bench = usePanel();

  for (const key of PANEL_KEYS) {
    it(`do what is said of them: ${key}`, async () => {
      const { options = {}, press } = PROOFS[key];
      const panel = await bench.open(options);
      await panel.message.waitFor();
      await press(panel);
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
  await panel.post({ type: 'focusApproval' });
  await eventually('focus on the card', () => panel.page.evaluate(() => document.activeElement?.matches('.ask')));
  await eventually('the answer', async () => {
    await panel.page.keyboard.press(`Control+${key}`);
    return panel.received.some((message) => message.type === 'answer');
  });
  assert.equal((await panel.next('answer')).decision, decision);
}

async function openSessions(panel: PanelPage): Promise<void> {
  await panel.page.getByRole('button', { name: 'Sessions' }).click();
  const session = { updatedAt: Date.now(), messages: 3, pinned: false, current: false };
  await panel.post({ type: 'sessions', sessions: [{ ...session, id: 'a', title: 'The tide table' }] });
  await panel.page.getByRole('option', { name: 'The tide table' }).waitFor();
  await panel.page.getByRole('combobox', { name: 'Search sessions' }).focus();
}
