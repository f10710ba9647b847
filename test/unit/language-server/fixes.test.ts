import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { describe, it } from 'mocha';
import { parse } from 'smol-toml';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { CodeAction, Range } from 'vscode-languageserver-types';
import { readOpenAgents } from '../../../extension/agents/agent-files.ts';
import { readOpenCommand } from '../../../extension/commands/read-command.ts';
import { agentActions } from '../../../extension/language-server/agents/agent-actions.ts';
import { commandActions } from '../../../extension/language-server/commands/command-actions.ts';
import { ConfigDocument, toLspRange } from '../../../extension/language-server/config-document.ts';
import { skillActions } from '../../../extension/language-server/skills/skill-actions.ts';
import { readOpenSkill } from '../../../extension/skills/read-skill.ts';
import { readFrontMatter } from '../../../extension/text/front-matter.ts';
import type { TextRange } from '../../../extension/text/text-range.ts';
import { seededRandom } from '../../support/crash/random.ts';
import { runs } from '../../support/test-size.ts';
import { WILD_KINDS, type WildKind } from '../../support/wild-customizations.ts';

interface Fault {
  readonly text: string;
  readonly range?: TextRange;
}

interface Kind {
  readonly path: string;
  /** The problems that the runtime reports. */
  faults(text: string): readonly Fault[];
  actions(file: ConfigDocument, range: Range): readonly CodeAction[];
  /** What the text means, by its keys. Undefined if it can't be read. */
  parts(text: string): Readonly<Record<string, unknown>> | undefined;
}

const ofMatter: Kind['parts'] = (text) => {
  const read = readFrontMatter(text);
  if (!('matter' in read)) return undefined;
  const { data, body } = read.matter;
  return typeof data === 'object' && data !== null ? { ...data, body } : undefined;
};

const KINDS: Readonly<Record<WildKind, Kind>> = {
  agents: {
    path: '/home/.gemini/agents/scout.md',
    faults: (text) => readOpenAgents(text, 'a.md').problems,
    actions: agentActions,
    parts: ofMatter,
  },
  skills: {
    path: '/home/.gemini/skills/pdf/SKILL.md',
    faults: (text) => faultOf(readOpenSkill(text, 'SKILL.md')),
    actions: skillActions,
    parts: ofMatter,
  },
  commands: {
    path: '/home/.gemini/commands/a.toml',
    faults: (text) => faultOf(readOpenCommand(text, { file: 'a.toml', relativePath: 'a.toml', source: 'user' })),
    actions: commandActions,
    parts: (text) => {
      try {
        return parse(text.replaceAll('\r\n', '\n'));
      } catch {
        return undefined;
      }
    },
  },
};

describe('A quick fix', () => {
  for (const kind of ['agents', 'skills', 'commands'] as const) {
    it(`for ${kind} removes the problem, and nothing else means something else`, () => {
      const { path, faults, actions, parts } = KINDS[kind];
      const random = seededRandom(28);
      let fixed = 0;
      for (let count = 0; count < runs(100, 5000); count++) {
        const text = WILD_KINDS[kind].text(random);
        const file = new ConfigDocument(TextDocument.create(`file://${path}`, '', 1, text), path);
        const before = faults(text);
        for (const fault of before) {
          if (!fault.range || /not valid (?:TOML|YAML)/.test(fault.text)) continue;
          const offered = actions(file, toLspRange(fault.range)).filter((action) => isFor(action, fault));
          for (const { title, edit } of offered) {
            const edits = edit?.changes?.[file.uri] ?? [];
            const made = TextDocument.applyEdits(TextDocument.create(file.uri, '', 1, text), [...edits]);
            const about = `${title}\n${text}\n→\n${made}`;
            const left = faults(made);
            assert.ok(alike(left, fault) < alike(before, fault) || !left.some((other) => isSame(other, fault)), about);
            assertSame(parts(text), parts(made), about);
            fixed++;
          }
        }
      }
      assert.ok(fixed > runs(8, 500), `${fixed} fixes`);
    });
  }
});

/** How often a problem is reported, wherever in a list it is. */
function alike(faults: readonly Fault[], { text }: Fault): number {
  const kind = (one: string): string => one.replace(/\.\d+/g, '');
  return faults.filter((other) => kind(other.text) === kind(text)).length;
}

/** The reader of commands stops at the first problem, and the next one may have the same words. */
function isSame(one: Fault, other: Fault): boolean {
  return one.text === other.text && isDeepStrictEqual(one.range, other.range);
}

/** Other problems may be at the same place. */
function isFor({ diagnostics = [] }: CodeAction, { text }: Fault): boolean {
  return diagnostics.some(({ message }) => message === text);
}

/** At most two keys may differ: one that was renamed, and its new name. */
function assertSame(before: ReturnType<Kind['parts']>, made: ReturnType<Kind['parts']>, about: string): void {
  if (!before) return;
  assert.ok(made, about);
  const keys = new Set([...Object.keys(before), ...Object.keys(made)]);
  const changed = [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(made[key]));
  assert.ok(changed.length <= 2, `${changed}: ${about}`);
}

function faultOf(read: object): readonly Fault[] {
  return 'problem' in read ? [read.problem as Fault] : [];
}
