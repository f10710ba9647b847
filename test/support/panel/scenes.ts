import { eventually } from '../poll.ts';
import type { PanelOptions, PanelPage } from './panel-page.ts';
import { ASKS, NOON, PLAN, REWIND, SESSIONS, TROUBLE, WORK } from './scene-entries.ts';
import { MENTIONS } from './suggestions.ts';
import { unfold } from './unfold.ts';
import type { PanelBench } from './use-panel.ts';

/** The options that a scene does not set itself: theme, size, language. */
export type SceneOptions = Pick<PanelOptions, 'theme' | 'width' | 'height' | 'language' | 'scale' | 'media'>;

/** Opens the panel and brings it into the state of the scene. The clock is frozen. */
export type Scene = (bench: PanelBench, options: SceneOptions) => Promise<PanelPage>;

const TALL = 1500;
const RUNNING = { running: true, startedAt: NOON - 34_000, title: 'Flaky upload retry test' } as const;

const openAt = (bench: PanelBench, options: PanelOptions): Promise<PanelPage> => bench.open({ at: NOON, ...options });

const conversation: Scene = async (bench, options) => {
  const panel = await openAt(bench, { height: TALL, entries: WORK, state: RUNNING, ...options });
  await panel.conversation.getByText('The first of them waits').waitFor();
  await panel.conversation.getByRole('figure').waitFor();
  return panel;
};

/** The screens of the panel, which together show everything in it. */
export const SCENES = {
  conversation,
  unfolded: async (bench, options) => {
    const panel = await conversation(bench, { height: 2 * TALL, ...options });
    await unfold(panel);
    return panel;
  },
  approvals: async (bench, options) => {
    const panel = await openAt(bench, {
      height: TALL,
      entries: ASKS,
      state: { ...RUNNING, approvalMode: 'yolo' },
      ...options,
    });
    await panel.page.getByRole('button', { name: 'Allow once' }).nth(1).waitFor();
    await settled(panel);
    return panel;
  },
  plan: async (bench, options) => {
    const panel = await openAt(bench, {
      height: TALL,
      entries: PLAN,
      state: { ...RUNNING, approvalMode: 'plan' },
      ...options,
    });
    await panel.page.getByText('Retry from the last offset').waitFor();
    await settled(panel);
    return panel;
  },
  errors: async (bench, options) => {
    const panel = await openAt(bench, { height: TALL, entries: TROUBLE, ...options });
    await panel.page.getByText('The connection broke').waitFor();
    await settled(panel);
    return panel;
  },
  empty: async (bench, options) => {
    const panel = await openAt(bench, { ...options, state: { title: 'New session' } });
    await panel.message.waitFor();
    return panel;
  },
  guide: async (bench, options) => {
    const panel = await openAt(bench, { ...options, state: { title: 'New session', offline: true, model: 'Guide' } });
    await panel.message.waitFor();
    return panel;
  },
  restricted: async (bench, options) =>
    openAt(bench, { entries: WORK.slice(0, 3), state: { readOnly: true, heldBy: 'another window' }, ...options }),
  sessions: async (bench, options) => {
    const panel = await openAt(bench, { entries: WORK.slice(0, 3), ...options });
    await panel.page.getByRole('button', { name: 'Sessions' }).click();
    await panel.post({ type: 'sessions', sessions: SESSIONS });
    await panel.page.getByRole('listbox', { name: 'Sessions' }).getByText('Streams, second try').waitFor();
    return panel;
  },
  rewind: async (bench, options) => {
    const panel = await openAt(bench, { entries: FINISHED, ...options });
    const message = panel.page.getByRole('article', { name: 'You' }).last();
    await message.hover();
    await message.getByRole('button', { name: 'Rewind to here' }).click();
    await panel.post({ type: 'rewindPreview', preview: REWIND });
    await panel.page.getByText('Commands are not reversed.').waitFor();
    return panel;
  },
  editing: async (bench, options) => {
    const panel = await openAt(bench, { entries: FINISHED, ...options });
    const message = panel.page.getByRole('article', { name: 'You' }).last();
    await message.hover();
    await message.getByRole('button', { name: 'Edit and resend' }).click();
    await panel.post({ type: 'rewindPreview', preview: REWIND });
    await panel.page.getByRole('radio', { name: 'Restore 3 files' }).waitFor();
    return panel;
  },
  find: async (bench, options) => {
    const panel = await openAt(bench, { entries: WORK, state: RUNNING, ...options });
    await panel.conversation.getByText('The first of them waits').waitFor();
    await panel.page.keyboard.press('Control+f');
    await panel.page.getByRole('textbox', { name: 'Find in conversation' }).fill('jitter');
    await panel.page.getByRole('search').getByText(/of/).waitFor();
    return panel;
  },
  mentions: async (bench, options) => {
    const panel = await openAt(bench, { entries: WORK.slice(0, 3), ...options });
    await panel.message.click();
    await panel.message.pressSequentially('@ret');
    const id = await panel.lastSuggest('@ret');
    await panel.post({ type: 'suggestions', id, groups: MENTIONS, pending: false });
    await panel.page.getByRole('listbox', { name: 'Mentions' }).waitFor();
    return panel;
  },
  shelf: async (bench, options) => {
    const panel = await openAt(bench, {
      entries: [
        ...WORK.slice(0, 3),
        { kind: 'user', id: 's', messageId: 's', text: 'Use fake timers, not a longer limit', pending: 'steer' },
        { kind: 'user', id: 'q', messageId: 'q', text: 'Then update the changelog', pending: 'queue' },
      ],
      state: {
        ...RUNNING,
        canUndoRewind: true,
        context: { used: 760_000, window: 1_000_000, masked: 0, leftOut: 0 },
        todos: [
          { description: 'Find the slow wait', status: 'completed' },
          { description: 'Use fake timers', status: 'in_progress' },
        ],
      },
      ...options,
    });
    await panel.post({
      type: 'attachments',
      attachments: [{ id: 'a', kind: 'file', label: 'retry.ts', excerpt: 'export const LIMIT = 4;' }],
    });
    await panel.post({ type: 'editor', chip: { label: 'upload.ts:10-20', summary: 'What is open', included: true } });
    const change = { isNew: false, added: 18, removed: 3, style: 'applied' as const };
    await panel.post({ type: 'review', items: [{ id: 'c', label: 'src/net/retry.ts', ...change }] });
    await panel.post({ type: 'notice', notice: { title: 'About', rows: [{ name: 'Gantry', value: '0.1.0' }] } });
    for (const name of ['Show todo list', 'Show changed files']) await open(panel, name);
    return panel;
  },
} as const satisfies Readonly<Record<string, Scene>>;

export type SceneName = keyof typeof SCENES;

const FINISHED = WORK.slice(0, -2);

async function open(panel: PanelPage, name: string): Promise<void> {
  const button = panel.page.getByRole('button', { name });
  if ((await button.count()) > 0) await button.first().click();
}

/** Waits until a new card can be answered. */
export async function settled({ page }: PanelPage): Promise<void> {
  const settling = page.locator('[data-settling]');
  await eventually('buttons that can be pressed', async () => (await settling.count()) === 0);
}
