import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { TelemetryState } from '../../../../extension/telemetry/telemetry.ts';
import { helpNotice, statsNotice, timeText, toolsNotice } from '../../../../extension/vscode/input/slash/notices.ts';
import { boundKeyRows, panelKeyRows } from '../../../../extension/vscode/input/slash/shortcuts.ts';
import { SlashCommands } from '../../../../extension/vscode/input/slash/slash-commands.ts';
import {
  parseSlashCommand,
  type SlashCommand,
  type SlashSource,
} from '../../../../extension/vscode/suggestions/slash-command.ts';
import manifest from '../../../../package.json' with { type: 'json' };

const KEYS = { send: 'Enter', newLine: 'Shift+Enter', control: 'Ctrl' };
const OFF = { kind: 'off' } as const;
const ran: string[] = [];
const named = (name: string, more: Partial<SlashCommand> = {}): SlashCommand => ({
  name,
  description: `Does ${name}`,
  run: (argument) => {
    ran.push(`${name}(${argument})`);
    return undefined;
  },
  ...more,
});
const source = (prefix: string, ...commands: SlashCommand[]): SlashSource => ({ prefix, commands: () => commands });

const BUILT_IN = source(
  'gantry',
  named('clear', { aliases: ['new'], whileRunning: true }),
  named('rewind'),
  named('resume'),
  named('mode', {
    hint: '[mode]',
    values: () => [
      { value: 'plan', detail: '' },
      { value: 'default', detail: '' },
    ],
  }),
  named('write', { needsTrust: true }),
);
const YOURS = source('workspace', named('rewind'), named('review', { hint: '[branch]' }));

function commands(state: { running?: boolean; trusted?: boolean } = {}): SlashCommands {
  ran.length = 0;
  return new SlashCommands([BUILT_IN, YOURS], {
    isRunning: () => state.running ?? false,
    isTrusted: () => state.trusted ?? true,
  });
}

const labels = (text: string): string[] =>
  commands()
    .suggest(text)
    .groups.flatMap(({ items }) => items.map(({ label }) => label));

async function refusedTitle(text: string, state = {}): Promise<string | undefined> {
  const outcome = await commands(state).run(text);
  return outcome && 'refused' in outcome ? outcome.refused.title : undefined;
}

describe('Commands with a slash', () => {
  it('are found by what is typed, and listed all for a slash', () => {
    assert.deepEqual(labels('/re'), ['/resume', '/review', '/rewind', '/workspace.rewind', '/write']);
    assert.equal(labels('/').length, 7);
    assert.deepEqual(labels('/ne'), ['/clear']);
    assert.deepEqual(labels('/usr/bin'), []);
  });

  it('keep their names against those of other sources', () => {
    assert.equal(commands().all().get('rewind'), BUILT_IN.commands()[1]);
    assert.equal(commands().all().get('workspace.rewind'), YOURS.commands()[0]);
  });

  it('complete what may be written after them, and say what they do', () => {
    const { groups, about } = commands().suggest('/mode pl');
    assert.deepEqual(
      groups.flatMap(({ items }) => items.map(({ insert }) => insert)),
      ['/mode plan'],
    );
    assert.equal(about, 'Does mode [mode]');
    assert.deepEqual(commands().suggest('/nothing here').groups, []);
  });

  it('run by name or alias, in any case, with what follows them', async () => {
    const all = commands();
    await all.run('/clear');
    await all.run('/NEW ');
    await all.run('/mode plan');
    await all.run('/review a b\nc');
    assert.deepEqual(ran, ['clear()', 'clear()', 'mode(plan)', 'review(a b\nc)']);
  });

  it('are found as they are written, and else in any case', async () => {
    const own = source('workspace', named('Git:Commit'), named('git:commit'), named('Deploy'));
    const all = new SlashCommands([BUILT_IN, own], { isRunning: () => false, isTrusted: () => true });
    ran.length = 0;
    for (const typed of ['/Git:Commit', '/git:commit', '/deploy', '/DEPLOY']) await all.run(typed);
    assert.deepEqual(ran, ['Git:Commit()', 'git:commit()', 'Deploy()', 'Deploy()']);
  });

  it('keep other names, too, and several of one source and name are all there', () => {
    const own = source('workspace', named('new'), named('test'), named('test'), named('test'));
    const all = new SlashCommands([BUILT_IN, own], { isRunning: () => false, isTrusted: () => true }).all();
    const theirs = [...all].flatMap(([name, command]) => (own.commands().includes(command) ? [name] : []));
    assert.deepEqual(theirs, ['workspace.new', 'test', 'workspace.test', 'workspace.test2']);
  });

  it('are looked for again when the sources are asked to', async () => {
    const found: SlashCommand[] = [];
    const later: SlashSource = {
      prefix: 'user',
      commands: () => found,
      refresh: async () => void found.push(named('fresh')),
    };
    const all = new SlashCommands([BUILT_IN, later], { isRunning: () => false, isTrusted: () => true });
    assert.equal(all.all().has('fresh'), false);
    await all.refresh();
    assert.equal(all.all().has('fresh'), true);
  });

  it('that there are not are refused with names that are like them', async () => {
    const outcome = await commands().run('/rewnd');
    assert.ok(outcome && 'refused' in outcome);
    assert.equal(outcome.refused.title, 'There is no command /rewnd');
    assert.match(outcome.refused.detail, /Did you mean \/rewind.*put a space before it/);
    assert.deepEqual(ran, []);
  });

  it('wait while something runs, unless they need not', async () => {
    assert.equal(await refusedTitle('/rewind', { running: true }), '/rewind is not available now');
    assert.equal(await refusedTitle('/clear', { running: true }), undefined);
  });

  it('that change something do not run in a folder that is not trusted', async () => {
    assert.equal(await refusedTitle('/write', { trusted: false }), '/write needs a trusted folder');
  });

  it('that take nothing refuse what follows them, so that it is not lost', async () => {
    assert.equal(await refusedTitle('/rewind everything'), '/rewind takes no arguments');
    assert.deepEqual(ran, []);
  });

  it('are no text that merely begins with a slash', () => {
    assert.deepEqual(parseSlashCommand('/plan  do it '), { name: 'plan', argument: 'do it' });
    assert.equal(parseSlashCommand('/usr/bin x'), undefined);
    assert.equal(parseSlashCommand('plan'), undefined);
  });

  it('take any text without a throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        commands().suggest(`/${text}`);
        await commands().run(`/${text}`);
      }),
    );
  });
});

describe('What commands say', () => {
  it('is every command with its keys', () => {
    const { rows } = helpNotice(commands().all(), panelKeyRows(KEYS));
    assert.deepEqual(rows[0], { name: '/clear', value: 'Does clear (also /new)' });
    assert.ok(rows.some(({ name }) => name === '/mode [mode]'));
    assert.ok(rows.some(({ name, value }) => name === 'Shift+Enter' && value === 'New line'));
  });

  it('is every key that package.json binds, as it is on this machine', () => {
    const { contributes } = manifest;
    const named = (platform: NodeJS.Platform): string[] => boundKeyRows(contributes, platform).map(({ name }) => name);
    assert.equal(named('linux').length, contributes.keybindings.length);
    assert.ok(named('linux').includes('Ctrl+K Shift+E'));
    assert.ok(named('darwin').includes('Cmd+K Shift+E'));
    assert.ok(named('win32').includes('Ctrl+K G') && named('linux').includes('Ctrl+Alt+Y'));
    const [find] = boundKeyRows(contributes, 'linux');
    assert.equal(find?.value, contributes.commands.find(({ command }) => command === 'gantry.find')?.title);
  });

  it('is what a session has used', () => {
    const context = { used: 250_000, window: 1_000_000, masked: 0, leftOut: 0 };
    const use = { turns: 3, tokens: 1_234_567, cost: 1.5, milliseconds: 65_000 };
    const spent = { input: 1_200_000, cached: 900_000, output: 34_567 };
    const values = statsNotice(use, { model: 'auto', context, spent }, OFF).rows.map(({ value }) => value);
    assert.deepEqual(values, [
      'auto',
      '3',
      '1,234,567',
      '900,000 of 1,200,000 tokens (75%)',
      '250,000 of 1,000,000 tokens (25%)',
      '$1.50',
      '1 min 5 s',
    ]);
    const unused = statsNotice(use, { model: 'auto', context, spent: { input: 0, output: 0 } }, OFF);
    assert.ok(!unused.rows.some(({ name }) => name === 'Cached input'));
    assert.deepEqual(unused.actions, [{ label: 'Show what the model gets', command: 'gantry.showRequest' }]);
    assert.equal(timeText(3_720_000), '1 h 2 min');
    const kept = statsNotice(use, { model: 'auto', context, spent }, OFF, '/sessions/s1/log.jsonl').rows.at(-1);
    assert.deepEqual(kept?.file, { path: '/sessions/s1/log.jsonl' });
  });

  it('is what telemetry sends where, if the user named a receiver', () => {
    const context = { used: 0, window: 1, masked: 0, leftOut: 0 };
    const use = { turns: 0, tokens: 0, cost: 0, milliseconds: 0 };
    const telling = (state: TelemetryState) =>
      statsNotice(use, { model: 'auto', context, spent: { input: 0, output: 0 } }, state).rows.flatMap(
        ({ name, value }) => (name === 'Telemetry' ? value : []),
      );
    assert.deepEqual(telling(OFF), []);
    assert.deepEqual(telling({ kind: 'blocked' }), ["Off, because VS Code's telemetry is turned off"]);
    assert.deepEqual(telling({ kind: 'refused', why: 'It is wrong' }), ['Off: It is wrong']);
    const on = { kind: 'on', place: 'localhost:4318', sent: 1234, dropped: 0 } as const;
    assert.deepEqual(telling(on), ['Spans and metrics to localhost:4318: 1,234 sent']);
    assert.deepEqual(telling({ ...on, dropped: 5 }), ['Spans and metrics to localhost:4318: 1,234 sent, 5 dropped']);
  });

  it('is where the tools of servers come from', () => {
    const tools = [
      { name: 'read_file', kind: 'read' as const, summary: 'Reads.' },
      { name: 'mcp_docs_find', kind: 'other' as const, summary: 'Finds.', server: 'docs' },
      { name: 'mcp_set_find', kind: 'other' as const, summary: 'Finds.', server: 'set' },
    ];
    const place = { path: '/w/.vscode/mcp.json', line: 3 };
    const { rows, actions } = toolsNotice(tools, true, (server) => (server === 'docs' ? place : undefined));
    assert.deepEqual(
      rows.map(({ file }) => file),
      [undefined, place, undefined],
    );
    assert.deepEqual(
      actions?.map(({ label }) => label),
      ['Open policies'],
    );
  });

  it('is which tools are off in Restricted Mode', () => {
    const tools = [
      { name: 'read_file', kind: 'read' as const, summary: 'Reads.' },
      { name: 'write_file', kind: 'edit' as const, summary: 'Writes.' },
    ];
    assert.deepEqual(
      toolsNotice(tools, false).rows.map(({ value }) => value),
      ['Reads.', 'Off. Writes.'],
    );
  });
});
