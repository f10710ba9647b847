import { CONTEXT_KINDS } from '../../../extension/protocol/agent/context-shares.ts';
import type { PanelState } from '../../../extension/protocol/panel/panel-messages.ts';
import type { Entry } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { answered, asking, noted, said, thought } from './entries.ts';
import type { PanelOptions, PanelPage } from './panel-page.ts';
import { APPROVALS, RICH } from './rich-conversation.ts';
import {
  AGENTS,
  COMMANDS_RUN,
  DIAGRAMS,
  ENDS,
  NOON,
  OTHER_APPROVALS,
  PREVIEW,
  PROBLEM,
  SESSIONS,
  steps,
} from './scene-data.ts';
import { COMMANDS, MENTIONS } from './suggestions.ts';
import { unfold } from './unfold.ts';
import type { PanelBench } from './use-panel.ts';

/**
 * Opens the panel in a state with text. Elements are found by their place and not by their text, because any language
 * is possible.
 */
export type Scene = (bench: PanelBench, options: PanelOptions) => Promise<PanelPage>;

const TALL = 6000;

function conversation(entries: readonly Entry[], state: Partial<PanelState> = {}): Scene {
  return async (bench, options) => {
    const panel = await bench.open({ height: TALL, entries, state, ...options });
    await panel.page
      .locator('gantry-entry')
      .nth(entries.length - 1)
      .waitFor({ state: 'attached' });
    await unfold(panel);
    return panel;
  };
}

function empty(state: Partial<PanelState>): Scene {
  return async (bench, options) => {
    const panel = await bench.open({ state, ...options });
    await panel.page.locator('.empty').waitFor();
    return panel;
  };
}

async function typed(panel: PanelPage, text: string): Promise<number> {
  await panel.page.locator('textarea').click();
  await panel.page.keyboard.type(text);
  return panel.lastSuggest(text);
}

/** Together, they show every kind of text in the panel. */
export const SPOKEN: Readonly<Record<string, Scene>> = {
  'something of every kind': conversation(RICH),
  approvals: conversation([said('Zorp'), ...APPROVALS], { running: true, approvalMode: 'yolo' }),
  'other approvals': conversation(OTHER_APPROVALS),
  'a no with a reason': async (bench, options) => {
    const panel = await bench.open({ entries: [asking('frobnicate', 'blimp')], ...options });
    await panel.page.locator('.ask:not([data-settling]) .split-more').last().click();
    await panel.page.locator('.split-menu .way').last().click();
    await panel.page.locator('.ask-foot input').waitFor();
    return panel;
  },
  'answers to questions': async (bench, options) => {
    const panel = await bench.open({ height: TALL, entries: APPROVALS, ...options });
    for (const other of await panel.page.locator('.q .opt:last-of-type input').all()) await other.click();
    return panel;
  },
  'steps that run': conversation(steps('running'), { running: true, startedAt: NOON }),
  'steps that are done': conversation(steps('success')),
  'steps that failed': conversation(steps('error')),
  'steps that were stopped': conversation(steps('cancelled')),
  subagents: conversation(AGENTS),
  commands: conversation(COMMANDS_RUN),
  'other ends': conversation(ENDS, { running: true, startedAt: NOON }),
  'a problem with all that can be done': conversation([PROBLEM]),
  'what can be done again': conversation([said('Zorp'), answered('Blimp'), noted('Zorped', { canContinue: true })]),
  'code, tables and diagrams': async (bench, options) => {
    const panel = await bench.open({ height: TALL, entries: [answered(DIAGRAMS.join('\n\n'))], ...options });
    await panel.page.locator('.diagram-box img').waitFor();
    await panel.page.locator('gantry-diagram p.muted').waitFor();
    await unfold(panel);
    return panel;
  },
  'code that is being written': conversation([answered('```ts\nzorp()', { state: 'streaming' })], { running: true }),
  'a conversation that is compacted now': conversation([said('Zorp')], { running: true, compacting: true }),
  'the guide in a folder': empty({ offline: true }),
  'the guide without a folder': empty({ offline: true, hasFolder: false }),
  'a model without a folder': empty({ hasFolder: false }),
  'an empty one with a model': empty({}),
  'news of a trusted folder': conversation([said('Zorp')], {
    trustNews: { lines: ['Zorps blimp.'], actions: ['review-hooks', 'review-agents', 'open-policies'] },
  }),
  'one that can only be read': conversation([said('Zorp')], { readOnly: true, heldBy: 'the blimp' }),
  'the breakdown of the context': async (bench, options) => {
    const context = { used: 900_000, window: 1_000_000, masked: 2, leftOut: 3 };
    const spent = { input: 12_000, output: 900, cost: 1 };
    const panel = await bench.open({ entries: [said('Zorp')], state: { context, spent }, ...options });
    await panel.page.locator('.ctx button').click();
    await panel.page.locator('.context').waitFor();
    return panel;
  },
  'what fills the context, by kind': async (bench, options) => {
    const panel = await bench.open({ entries: [said('Zorp')], ...options });
    await panel.page.locator('.ctx button').click();
    await panel.post({ type: 'contextShares', shares: CONTEXT_KINDS.map((kind) => ({ kind, tokens: 900 })) });
    await panel.page.locator('.shares').first().waitFor();
    return panel;
  },
  'thinking that is open for good': conversation([thought('Zorp'), answered('Blimp')], { thinking: 'expanded' }),
  'other sessions that go on': conversation([said('Zorp')], { elsewhere: { needYou: 2, running: 0, answered: 0 } }),
  'a plan that is being changed': async (bench, options) => {
    const plan = APPROVALS.filter(({ id }) => id === 'plan');
    const panel = await bench.open({ height: 1200, entries: plan, ...options });
    await panel.page.locator('.ask:not([data-settling]) .acts vscode-button').nth(3).click();
    await panel.page.locator('.ask-edit textarea').waitFor();
    return panel;
  },
  'the thread of a subagent': async (bench, options) => {
    const panel = await bench.open({ height: 1200, entries: AGENTS.slice(0, 1), ...options });
    await panel.page.locator('.agent-body .ghost.link').last().click();
    await panel.page.locator('.sheet').waitFor();
    return panel;
  },
  'what surrounds the input': async (bench, options) => {
    const statuses = ['completed', 'in_progress', 'pending', 'cancelled', 'blocked'] as const;
    const todos = statuses.map((status) => ({ description: 'Blimp', status }));
    const panel = await bench.open({
      height: 1200,
      entries: [said('Zorp'), said('zorp', { pending: 'steer' }), said('blimp', { pending: 'queue' })],
      state: { canUndoRewind: true, running: true, startedAt: NOON, todos },
      ...options,
    });
    const change = { isNew: false, added: 3, removed: 1 };
    await panel.post({
      type: 'review',
      items: [
        { id: 'c', label: 'src/a.ts', style: 'proposed', ...change },
        { id: 'd', label: 'src/b.ts', style: 'applied', conflict: 'Zorped', ...change },
      ],
    });
    await panel.post({ type: 'attachments', attachments: [{ id: 'a', kind: 'file', label: 'zorp.ts', excerpt: 'x' }] });
    await panel.post({ type: 'editor', chip: { label: 'blimp.ts', summary: 'Zorp', included: true } });
    await panel.post({ type: 'notice', notice: { title: 'Zorp', rows: [{ name: 'Blimp', value: '0.1.0' }] } });
    for (const toggle of await panel.page.locator('.shelf .toggle').all()) await toggle.click();
    await panel.page.locator('textarea').fill('zorp');
    return panel;
  },
  'a shelf that is closed': async (bench, options) => {
    const panel = await bench.open({
      entries: [asking('frobnicate', 'blimp'), asking('frobnicate', 'zorp'), answered('zorp\n\n'.repeat(90))],
      state: { todos: [{ description: 'Blimp', status: 'completed' }] },
      ...options,
    });
    const change = { id: 'c', label: 'src/a.ts', style: 'applied' as const, isNew: true, added: 0, removed: 0 };
    await panel.post({ type: 'review', items: [change] });
    await panel.post({ type: 'editor', chip: { label: 'blimp.ts', summary: 'Zorp', included: false } });
    await panel.page.locator('.approval-pointer').waitFor();
    return panel;
  },
  'a conversation that was left for its beginning': async (bench, options) => {
    const panel = await bench.open({
      entries: [answered('zorp\n\n'.repeat(90))],
      state: { running: true, startedAt: NOON },
      ...options,
    });
    await panel.page.locator('.log').press('Home');
    await panel.page.locator('.jump').waitFor();
    return panel;
  },
  'a command that is being written': async (bench, options) => {
    const panel = await bench.open(options);
    await panel.post({ type: 'insertText', text: 'zorp'.repeat(20_000) });
    await panel.page.locator('textarea').fill('!blimp');
    await panel.page.locator('#as-command').waitFor();
    return panel;
  },
  'the list of mentions': async (bench, options) => {
    const panel = await bench.open(options);
    const id = await typed(panel, '@ret');
    await panel.post({ type: 'suggestions', id, groups: MENTIONS, pending: false });
    await panel.page.locator('[role=listbox]').waitFor();
    return panel;
  },
  'the list of commands': async (bench, options) => {
    const panel = await bench.open(options);
    const id = await typed(panel, '/re');
    await panel.post({ type: 'suggestions', id, groups: COMMANDS, pending: false });
    await panel.page.locator('[role=listbox]').waitFor();
    return panel;
  },
  'a mention of nothing': async (bench, options) => {
    const panel = await bench.open(options);
    await panel.post({ type: 'suggestions', id: await typed(panel, '@zz'), groups: [], pending: false });
    await panel.page.locator('.menu-empty').waitFor();
    return panel;
  },
  'a command that nobody knows': async (bench, options) => {
    const panel = await bench.open(options);
    await panel.post({ type: 'suggestions', id: await typed(panel, '/zz'), groups: [], pending: false });
    await panel.page.locator('.menu-empty').waitFor();
    return panel;
  },
  'a message that was too large': async (bench, options) => {
    const panel = await bench.open(options);
    await panel.page.evaluate(() => {
      const detail = { text: 'z'.repeat(17_000_000) };
      document.querySelector('gantry-panel')?.dispatchEvent(new CustomEvent('gantry-send', { detail }));
    });
    await panel.page.locator('.refusal').waitFor();
    return panel;
  },
  'a file that was too large': async (bench, options) => {
    const panel = await bench.open(options);
    await panel.page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([new Uint8Array(8 * 1024 * 1024)], '1.7'));
      document.querySelector('textarea')?.dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
    });
    await panel.page.locator('.refusal').waitFor();
    return panel;
  },
  'the find bar': async (bench, options) => {
    const panel = await bench.open({ entries: [answered('zorp blimp')], ...options });
    await panel.page.locator('.find-button').click();
    await panel.page.locator('.find input').fill('zorp');
    await panel.page.locator('.find [role=status]', { hasText: '1' }).waitFor();
    return panel;
  },
  'the list of sessions': async (bench, options) => {
    const panel = await bench.open({ height: 1200, entries: [said('Zorp')], ...options });
    await panel.page.locator('.sessions-button').click();
    await panel.post({ type: 'sessions', sessions: SESSIONS });
    await panel.page.locator('.session').first().waitFor();
    await panel.page.keyboard.press('F2');
    await panel.page.locator('#rename-hint').waitFor();
    return panel;
  },
  'sessions that cannot be opened': async (bench, options) => {
    const panel = await bench.open({ entries: [said('Zorp')], ...options });
    await panel.page.locator('.sessions-button').click();
    await panel.post({ type: 'sessions', sessions: SESSIONS.filter(({ problem }) => problem !== undefined) });
    await panel.page.locator('.session').first().waitFor();
    return panel;
  },
  'sessions that are looked for': async (bench, options) => {
    const panel = await bench.open({ entries: [said('Zorp')], ...options });
    await panel.page.locator('.sessions-button').click();
    await panel.post({ type: 'sessions', sessions: [] });
    await panel.page.locator('.search input').fill('blimp');
    await panel.page.locator('.menu-empty').waitFor();
    return panel;
  },
  'going back to a message': async (bench, options) => {
    const panel = await bench.open({ height: 1600, entries: [said('Zorp', { id: 'm1', at: NOON })], ...options });
    await panel.page.locator('.you').hover();
    await panel.page.locator('.you .rewind').click();
    await panel.post({ type: 'rewindPreview', preview: PREVIEW });
    await panel.page.locator('.rewind-files .opt').waitFor();
    return panel;
  },
  'going back without files': async (bench, options) => {
    const panel = await bench.open({ entries: [said('Zorp', { id: 'm1', at: NOON })], ...options });
    await panel.page.locator('.you').hover();
    await panel.page.locator('.you .rewind').click();
    const preview = { ...PREVIEW, turns: 1, calls: 1, grants: ['zorp'], files: [], filesStay: 'Zorped.' };
    await panel.post({ type: 'rewindPreview', preview });
    await panel.page.locator('.opts').waitFor();
    return panel;
  },
  'a message that is being changed': async (bench, options) => {
    const panel = await bench.open({ height: 1200, entries: [said('Zorp', { id: 'm1', at: NOON })], ...options });
    await panel.page.locator('.you').hover();
    await panel.page.locator('.you .edit-message').click();
    await panel.post({ type: 'rewindPreview', preview: PREVIEW });
    await panel.page.locator('.edit-files').waitFor();
    return panel;
  },
  'a view that broke': async (bench, options) => {
    const panel = await bench.open({ entries: [said('Zorp')], ...options });
    await panel.page.evaluate(() => void Promise.reject(new Error('broken on purpose')));
    await panel.page.locator('.view-failure').waitFor();
    return panel;
  },
};
