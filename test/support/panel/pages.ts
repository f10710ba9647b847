import { said } from './entries.ts';
import type { PanelPage } from './panel-page.ts';
import { APPROVALS, RICH } from './rich-conversation.ts';
import { MENTIONS } from './suggestions.ts';
import type { THEMES } from './theme.ts';
import type { PanelBench } from './use-panel.ts';

/** Opens the panel so that it shows something. */
type Opened = (bench: PanelBench, theme: (typeof THEMES)[number]) => Promise<PanelPage>;

const TALL = 4000;

/** What the panel can look like, for tests of what has to hold everywhere. */
export const PAGES: Readonly<Record<string, Opened>> = {
  'a conversation with something of every kind': async (bench, theme) => {
    const panel = await bench.open({ theme, height: TALL, entries: RICH });
    await panel.conversation.getByText('A quote').waitFor();
    return panel;
  },
  'a conversation with all of it unfolded': async (bench, theme) => {
    const panel = await bench.open({ theme, height: TALL, entries: RICH });
    await panel.conversation.getByText('A quote').waitFor();
    const folded = panel.conversation.locator('button[aria-expanded=false]');
    while ((await folded.count()) > 0) await folded.first().click();
    return panel;
  },
  'an empty one': async (bench, theme) => {
    const panel = await bench.open({ theme });
    await panel.message.waitFor();
    return panel;
  },
  'one that can only be read': async (bench, theme) =>
    bench.open({ theme, entries: [said('Hello')], state: { readOnly: true, heldBy: 'another window' } }),
  approvals: async (bench, theme) => {
    const panel = await bench.open({
      theme,
      height: TALL,
      entries: [said('Do it'), ...APPROVALS],
      state: { running: true, startedAt: Date.now(), approvalMode: 'yolo' },
    });
    await panel.page.getByRole('button', { name: 'Allow once' }).first().waitFor();
    return panel;
  },
  'the find bar': async (bench, theme) => {
    const panel = await bench.open({ theme, height: TALL, entries: RICH });
    await panel.conversation.getByText('A quote').waitFor();
    await panel.page.keyboard.press('Control+f');
    await panel.page.getByRole('textbox', { name: 'Find in conversation' }).fill('retries');
    await panel.page.getByRole('search').getByText(/of/).waitFor();
    return panel;
  },
  'the list of mentions': async (bench, theme) => {
    const panel = await bench.open({ theme });
    await panel.message.click();
    await panel.message.pressSequentially('@ret');
    const id = await panel.lastSuggest('@ret');
    await panel.post({ type: 'suggestions', id, groups: MENTIONS, pending: false });
    await panel.page.getByRole('listbox', { name: 'Mentions' }).waitFor();
    return panel;
  },
  'the list of sessions': async (bench, theme) => {
    const panel = await bench.open({ theme, entries: [said('Hello')] });
    await panel.page.getByRole('button', { name: 'Sessions' }).click();
    const session = { updatedAt: Date.now(), messages: 3, pinned: false, current: false };
    await panel.post({
      type: 'sessions',
      sessions: [
        { ...session, id: 'a', title: 'The tide table', current: true },
        { ...session, id: 'b', title: 'Another one', pinned: true, elsewhere: 'other-app' },
      ],
    });
    await panel.page.getByRole('listbox', { name: 'Sessions' }).waitFor();
    return panel;
  },
  'chips, changed files and todos': async (bench, theme) => {
    const panel = await bench.open({
      theme,
      entries: [said('Hello')],
      state: { canUndoRewind: true, todos: [{ description: 'Fix it', status: 'in_progress' }] },
    });
    await panel.post({
      type: 'attachments',
      attachments: [{ id: 'a', kind: 'file', label: 'retry.ts', excerpt: 'x' }],
    });
    await panel.post({ type: 'editor', chip: { label: 'upload.ts', summary: 'What is open', included: true } });
    const change = { isNew: false, added: 3, removed: 1, style: 'applied' as const };
    await panel.post({ type: 'review', items: [{ id: 'c', label: 'src/a.ts', ...change }] });
    await panel.post({ type: 'notice', notice: { title: 'About', rows: [{ name: 'Gantry', value: '0.1.0' }] } });
    return panel;
  },
};
