import { APPROVALS, RICH } from './rich-conversation.ts';
import { SCENES, type Scene, settled } from './scenes.ts';
import { unfold } from './unfold.ts';

const TALL = 4000;

/** The screens of the panel, and two more with everything that can be said and asked. */
export const PAGES: Readonly<Record<string, Scene>> = {
  ...SCENES,
  'something of every kind': async (bench, options) => {
    const panel = await bench.open({ ...options, height: TALL, entries: RICH });
    await panel.conversation.getByText('A quote').waitFor();
    await unfold(panel);
    return panel;
  },
  'every question': async (bench, options) => {
    const panel = await bench.open({
      ...options,
      height: TALL,
      entries: APPROVALS,
      state: { running: true, startedAt: Date.now(), approvalMode: 'yolo' },
    });
    await panel.page.getByRole('button', { name: 'Allow once' }).first().waitFor();
    await settled(panel);
    return panel;
  },
};
