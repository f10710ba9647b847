import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type PartlyProtected, tellingPart } from '../../../extension/policy/telling-part.ts';

const BRANCH = '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n';

describe('What of a file decides what runs', () => {
  const cases: readonly [what: string, kind: PartlyProtected, text: string, part: string][] = [
    ['no scripts', 'package', '{"name":"x","dependencies":{"a":"1"}}', ''],
    ['scripts', 'package', '{"name":"x","scripts":{"a":"b"}}', '{"scripts":{"a":"b"}}'],
    ['hooks', 'package', '{"husky":{"hooks":{}},"version":"1"}', '{"husky":{"hooks":{}}}'],
    ['a byte order mark', 'package', '\uFEFF{"scripts":{}}', '{"scripts":{}}'],
    ['what is no JSON', 'package', '{"scripts"', '{"scripts"'],
    ['a list, which has none', 'package', '[1]', ''],
    ['what a new repository has', 'git settings', '[core]\n\trepositoryformatversion = 0\n\tbare = false\n', ''],
    ['what a branch follows', 'git settings', BRANCH, ''],
    ['who commits', 'git settings', '[user]\n\tname = A B\n\temail = a@b\n# a comment\n; another\n', ''],
    ['a branch that runs a program', 'git settings', '[branch "a"]\nremote = ext::sh', '[branch "a"] remote = ext::sh'],
    ['a program', 'git settings', '[core]\n\tfsMonitor = ./x\n', '[core] fsmonitor = ./x'],
    ['one in the line of its section', 'git settings', '[CORE] sshcommand=x', '[core] sshcommand = x'],
    ['a value that goes on', 'git settings', '[user]\nname = a\\\nb', '[user] name = a\\\n[user] b'],
    ['the folder itself', 'git folder', '.\n', ''],
    ['another folder', 'git folder', '../evil\n', '../evil\n'],
  ];
  for (const [what, kind, text, part] of cases) {
    it(`of ${kind}: ${what}`, () => assert.equal(tellingPart(kind, text), part));
  }
});
