import assert from 'node:assert/strict';
import { describe } from 'mocha';
import { useWorkbench } from '../../support/fixture.ts';
import { it } from '../../support/journey.ts';
import type { Workbench } from '../../support/workbench.ts';

const RULES = `# Nothing is pushed.
[[rule]]
toolName = "run_shell_command"
commandPrefix = "git push"
decision = "deny"
priority = 200
denyMessage = "Pushing is for people."

[[rule]]
toolName = "run_shell_command"
commandPrefix = ["npm test", "npm run lint"]
decision = "allow"
priority = 100
`;

describe('Policies', () => {
  const bench = useWorkbench(() => ({ trust: 'all' }));
  const open = async (): Promise<Workbench> => {
    const folder = await bench.folder({ 'rules/mine.toml': RULES });
    return bench.open({ folder }, { 'gantry.policy.paths': [`${folder}/rules`] });
  };
  const text = async ({ page }: Workbench): Promise<string> =>
    (await page.locator('.editor-instance .view-lines').first().innerText()).replaceAll('\u00a0', ' ');

  it('decide about a command while it is typed, and say which rule took part, by keyboard alone', async () => {
    const workbench = await open();
    const { page } = workbench;
    await workbench.runCommand('Gantry: Try a Command Against Policies…');
    const box = page.locator('.quick-input-widget');
    const message = box.locator('.quick-input-message');
    await box.getByPlaceholder('A command such as npm test').waitFor();
    await page.keyboard.type('npm test');
    await message.getByText('It runs without asking.').waitFor();
    await workbench.screenshot('try-command-runs');
    await page.keyboard.type(' && git push');
    await message.getByText('It is refused.').waitFor();
    await workbench.screenshot('try-command-refused');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Decision' }).waitFor();
    for (const theme of ['dark', 'light', 'hc-dark'] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`decision-${theme}`);
    }
    assert.match(await text(workbench), /Rules for `git push`/);
  });

  it('are all on one page', async () => {
    const workbench = await open();
    const { page } = workbench;
    await workbench.runCommand('Gantry: Open Policies');
    await page.getByRole('option', { name: /Show All Rules/ }).waitFor();
    await workbench.screenshot('open-policies');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'All Rules' }).waitFor();
    await page.locator('.editor-instance .detected-link').first().waitFor();
    for (const theme of ['light', 'hc-light', 'hc-dark', 'dark'] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`all-rules-${theme}`);
    }
    assert.match(await text(workbench), /4\.200 {2}deny .*mine\.toml:2/);
  });

  it('say what a rule does while it is written, and try it from its file', async () => {
    const workbench = await open();
    const { page } = workbench;
    await workbench.openFile('mine.toml');
    const lens = page.locator('.codelens-decoration').getByText('Try a command…');
    await lens.first().waitFor();
    await page.keyboard.press('ArrowDown');
    const hover = page.locator('.monaco-hover:visible', { hasText: 'are refused' });
    for (const theme of ['dark', 'light', 'hc-dark'] as const) {
      await workbench.setTheme(theme);
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Control+i');
      await hover.waitFor();
      await workbench.screenshot(`rule-hover-${theme}`);
      await page.keyboard.press('Escape');
    }
    await lens.first().click();
    const box = page.locator('.quick-input-widget');
    await box.locator('.quick-input-message').getByText('It is refused.').waitFor();
    assert.equal(await box.locator('input').first().inputValue(), 'git push');
    await workbench.screenshot('try-rule');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Decision' }).waitFor();
    for (const theme of ['dark', 'light', 'hc-dark'] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`rule-decision-${theme}`);
    }
    assert.match(await text(workbench), /▸ 4\.200 {2}deny/);
  });

  it('are repaired by the light bulb, by keyboard alone, in every theme', async function () {
    // Each theme is picked as a user does, which takes its time.
    this.timeout(120_000);
    const folder = await bench.folder({ 'rules/mine.toml': RULES.replace('"deny"', '"dany"') });
    const workbench = await bench.open({ folder }, { 'gantry.policy.paths': [`${folder}/rules`] });
    const { page } = workbench;
    await workbench.setSideBarWidth(300);
    await workbench.openFile('mine.toml');
    await page.locator('.squiggly-error').first().waitFor();
    const repair = page.locator('.action-widget').getByText('Change to "deny"');
    for (const theme of ['light', 'hc-light', 'hc-dark', 'dark'] as const) {
      await workbench.setTheme(theme);
      await page.keyboard.press('F8');
      await page.locator('.marker-widget').getByText('Until this is fixed').waitFor();
      await workbench.screenshot(`problem-${theme}`);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+.');
      await repair.waitFor();
      await workbench.screenshot(`light-bulb-${theme}`);
      if (theme !== 'dark') await page.keyboard.press('Escape');
    }
    await page.keyboard.press('Enter');
    await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    assert.match(await text(workbench), /decision = "deny"/);
  });

  it('complete what is typed, with the rest of the rule', async () => {
    const workbench = await open();
    const { page } = workbench;
    await workbench.openFile('mine.toml');
    await page.locator('.codelens-decoration').first().waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n[[ru');
    await page.locator('.suggest-widget').getByText('commandPrefix').waitFor();
    await workbench.screenshot('complete-rule');
    await page.keyboard.press('Enter');
    // The tools are proposed without a key.
    await page.locator('.suggest-widget .monaco-list-row').nth(5).waitFor();
    await page.keyboard.type('web_fe');
    await page.locator('.suggest-widget').getByText('WebFetch').waitFor();
    await workbench.screenshot('complete-tool');
    await page.keyboard.press('Enter');
    await page.locator('.view-line', { hasText: '"web_fetch"' }).waitFor();
    assert.match(await text(workbench), /toolName = "web_fetch"\ndecision = "ask_user"/);
  });
});
