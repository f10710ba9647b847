import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ListedAgent } from '../../../../extension/agents/agent-catalog.ts';
import { CODEBASE_INVESTIGATOR } from '../../../../extension/agents/built-in-agents.ts';
import type { LoadedMemory } from '../../../../extension/context/memory/loaded-memory.ts';
import type { HookGroup } from '../../../../extension/hooks/hook-types.ts';
import type { Skill } from '../../../../extension/skills/skill.ts';
import { FILE_START } from '../../../../extension/text/text-range.ts';
import {
  agentsNotice,
  memoryNotice,
  skillsNotice,
} from '../../../../extension/vscode/input/slash/knowledge-notices.ts';
import { hooksNotice, policiesNotice } from '../../../../extension/vscode/input/slash/rule-notices.ts';

const placeOf = (path: string): string => path.replace('/w/', '');

function memory(path: string, more: Partial<LoadedMemory> = {}): LoadedMemory {
  const label = placeOf(path);
  const none = { imported: [], isCut: false, isQuoted: false, problems: [] };
  return { path, label, origin: 'project', text: '', tokens: 1200, ...none, ...more };
}

function skill(name: string, source: Skill['source']): Skill {
  const folder = `/w/${name}`;
  const more = { nameRange: FILE_START, isBuiltIn: false, instructions: '', hash: name, ownsFolder: true };
  return { name, description: `Does ${name}`, folder, file: `${folder}/SKILL.md`, source, ...more };
}

describe('What the agent knows, in the panel', () => {
  it('are files with where they are from and what they cost, each of which opens', () => {
    const problem = { file: '/w/GEMINI.md', line: 3, range: FILE_START, reason: 'missing', path: 'no.md' } as const;
    const { title, rows } = memoryNotice(
      [
        memory('/w/GEMINI.md', { imported: ['/w/style.md'], problems: [problem] }),
        memory('/w/sub/AGENTS.md', { origin: 'subfolder', isQuoted: true, tokens: 30 }),
      ],
      placeOf,
    );
    assert.equal(title, 'Instructions: about 1,230 tokens in every request');
    assert.deepEqual(rows, [
      { name: 'GEMINI.md', value: 'In this folder. About 1,200 tokens', file: { path: '/w/GEMINI.md' } },
      { name: 'style.md', value: 'Imported by GEMINI.md', file: { path: '/w/style.md' } },
      {
        name: 'GEMINI.md:3',
        value: '@no.md was not imported: there is no such file.',
        file: { path: '/w/GEMINI.md', line: 3 },
      },
      {
        name: 'sub/AGENTS.md',
        value:
          'In a subfolder that Gantry worked in. Quoted as data, because this folder is not trusted. About 30 tokens',
        file: { path: '/w/sub/AGENTS.md' },
      },
    ]);
    assert.match(memoryNotice([], placeOf).title, /\/init/);
  });

  it('are skills, and which of them were accepted', () => {
    const now = {
      skills: [skill('pdf', 'user'), skill('old', 'project'), skill('new', 'project')],
      problems: [{ file: '/w/bad/SKILL.md', line: 2, range: FILE_START, text: 'No name.' }],
      isAccepted: ({ name }: Skill) => name === 'old',
    };
    const { rows } = skillsNotice(now, placeOf);
    assert.deepEqual(
      rows.map(({ name, value }) => `${name}: ${value}`),
      [
        'pdf: Yours. Does pdf',
        'old: From this folder, approved. Does old',
        'new: From this folder, requires approval when it is used. Does new',
        'bad/SKILL.md:2: No name.',
      ],
    );
  });

  it('are skills and agents of an extension with its name', () => {
    const ofExtension = { ...skill('triage', 'extension'), origin: 'extension issues' };
    const [asks, accepted] = [false, true].map(
      (isAccepted) =>
        skillsNotice({ skills: [ofExtension], problems: [], isAccepted: () => isAccepted }, placeOf).rows[0],
    );
    assert.equal(asks?.value, 'From the extension issues, requires approval when it is used. Does triage');
    assert.equal(accepted?.value, 'From the extension issues, approved. Does triage');
    const listed: ListedAgent = { definition: CODEBASE_INVESTIGATOR, source: 'extension', extension: 'issues' };
    const { rows } = agentsNotice({ listed: [listed], problems: [], waiting: 0 }, placeOf);
    assert.match(rows[0]?.value ?? '', /^From the extension issues, approved\. /);
  });

  it('are agents, and what requires approval with the way to it', () => {
    const shipped: ListedAgent = { definition: CODEBASE_INVESTIGATOR, source: 'built-in' };
    const waits: ListedAgent = {
      definition: { ...CODEBASE_INVESTIGATOR, name: 'theirs', displayName: 'Theirs', description: 'Looks' },
      source: 'project',
      file: '/w/a.md',
      unusable: { reason: 'waiting', text: 'It waits.' },
    };
    const { rows, actions } = agentsNotice({ listed: [shipped, waits], problems: [], waiting: 1 }, placeOf);
    assert.match(rows[0]?.value ?? '', /^Comes with Gantry\. /);
    assert.equal(rows[0]?.file, undefined);
    assert.deepEqual(rows[1], { name: 'Theirs', value: 'Off: It waits. Looks', file: { path: '/w/a.md' } });
    assert.deepEqual(actions, [{ label: 'Review agents', command: 'gantry.reviewAgents' }]);
    assert.equal(agentsNotice({ listed: [shipped], problems: [], waiting: 0 }, placeOf).actions, undefined);
  });
});

describe('What guards the agent, in the panel', () => {
  const place = { file: '/w/settings.json', line: 4 };
  const command = { type: 'command', command: 'lint', source: 'user', ...place } as const;
  const group: HookGroup = { event: 'BeforeTool', matcher: 'replace', sequential: false, hooks: [command] };

  it('are hooks that run, and those that wait', () => {
    const waiting = { hash: 'h', event: 'AfterTool', hook: { ...command, source: 'project' } } as const;
    const { rows, actions } = hooksNotice({ groups: [group], waiting: [waiting] });
    const file = { path: '/w/settings.json', line: 4 };
    assert.deepEqual(rows, [
      { name: 'BeforeTool (replace)', value: 'Yours: lint', file },
      { name: 'AfterTool', value: 'Off until you approve it: lint', file },
    ]);
    const theirs = { ...command, source: 'extension', extension: 'issues' } as const;
    const ofExtension = hooksNotice({
      groups: [{ ...group, hooks: [theirs] }],
      waiting: [{ hash: 'h', event: 'AfterTool', hook: theirs }],
    });
    assert.deepEqual(
      ofExtension.rows.map(({ value }) => value),
      ['Extension issues: lint', 'Extension issues, off until you approve it: lint'],
    );
    assert.deepEqual(actions, [{ label: 'Review hooks', command: 'gantry.reviewHooks' }]);
    assert.deepEqual(hooksNotice({ groups: [], waiting: [] }), { title: 'There are no hooks here', rows: [] });
  });

  it('are the files with rules, and the list that makes new ones', () => {
    const file = { path: '/w/team.toml', tier: 'workspace', state: 'in_force', text: '', waiting: [] } as const;
    const { rows, actions } = policiesNotice([file], []);
    assert.deepEqual(rows, [{ name: 'team.toml', value: 'This folder: active', file: { path: '/w/team.toml' } }]);
    assert.equal(actions?.[0]?.command, 'gantry.openPolicies');
  });
});
