import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parse } from 'smol-toml';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { ConfigDocument } from '../../../extension/language-server/config-document.ts';
import { type FileWithNames, Names, RenameRefused, serverOfTool } from '../../../extension/language-server/names.ts';
import { policyNames } from '../../../extension/language-server/policy/policy-names.ts';
import { seededRandom } from '../../support/crash/random.ts';
import { runs } from '../../support/test-size.ts';
import { pick, wildPolicies } from '../../support/wild-policies.ts';

const SERVERS = ['srv', 'a', 'a_b'];
const AGENTS = ['codebase_investigator', 'generalist'];

function fileOf(path: string, text: string): ConfigDocument {
  return new ConfigDocument(TextDocument.create(`file://${path}`, '', 1, text), path);
}

/** A file with each name in a line of its own. */
function defining(path: string, kind: 'server' | 'agent', names: readonly string[], isOwn = true): FileWithNames {
  const file = fileOf(path, names.join('\n'));
  let start = 0;
  const uses = names.map((name) => {
    const use = { kind, name, isDefinition: true, start, end: start + name.length };
    start += name.length + 1;
    return use;
  });
  return { file, uses, isOwn };
}

function policy(text: string): FileWithNames {
  const file = fileOf('/w/.gemini/policies/x.toml', text);
  return { file, uses: policyNames(file), isOwn: true };
}

function named(text: string, name: string, ...more: readonly FileWithNames[]) {
  const file = policy(text);
  const defined = [defining('/w/.gemini/settings.json', 'server', SERVERS), defining('/w/a.md', 'agent', AGENTS)];
  const names = new Names([file, ...defined, ...more], true);
  const at = names.about(file.file, text.indexOf(name));
  assert.ok(at, `${name} is no name`);
  const rename = (to: string): string => {
    const edits = names.rename(at, to).changes?.[file.file.uri] ?? [];
    return TextDocument.applyEdits(file.file.document, [...edits]);
  };
  return { names, at, rename };
}

describe('A server or an agent', () => {
  it('has another name wherever it is meant, and everything else means the same', () => {
    const random = seededRandom(17);
    let changed = 0;
    for (let count = 0; count < runs(200, 5000); count++) {
      for (const { text } of wildPolicies(random)) {
        const kind = pick(random, ['server', 'agent'] as const);
        const old = pick(random, kind === 'server' ? SERVERS : AGENTS);
        const file = policy(text);
        const definitions = [defining('/w/s.json', 'server', SERVERS), defining('/w/a.md', 'agent', AGENTS)];
        const names = new Names([file, ...definitions], true);
        const use = names.definitions({ kind, name: old, start: 0, end: 0 })[0];
        assert.ok(use);
        const edits = names.rename(use, 'new_name').changes ?? {};
        assert.equal(Object.values(edits).flat().length, names.uses(use).length);
        const after = TextDocument.applyEdits(file.file.document, [...(edits[file.file.uri] ?? [])]);
        assert.deepEqual(JSON.parse(JSON.stringify(parse(after))), meant(parse(text), kind, old), text);
        if (after !== text) changed++;
      }
    }
    assert.ok(changed > 50, `${changed}`);
  });

  it('keeps its name if nothing of the user defines it', () => {
    const { rename } = named('[[rule]]\nmcpName = "unknown"\n', 'unknown');
    assert.throws(() => rename('other'), RenameRefused);
    const ofExtension = defining('/home/.gemini/extensions/x/gemini-extension.json', 'server', ['theirs'], false);
    assert.throws(() => named('[[rule]]\nmcpName = "theirs"\n', 'theirs', ofExtension).rename('other'), RenameRefused);
  });

  it('gets no name that is taken, or that its kind cannot have', () => {
    for (const [text, name, to] of [
      ['[[rule]]\nmcpName = "srv"\n', 'srv', 'a b'],
      ['[[rule]]\nmcpName = "srv"\n', 'srv', '*'],
      ['[[rule]]\nmcpName = "srv"\n', 'srv', 'a\u202eb'],
      ['[[rule]]\nsubagent = "generalist"\n', 'generalist', 'Generalist'],
      ['[[rule]]\nsubagent = "generalist"\n', 'generalist', 'codebase_investigator'],
    ] as const) {
      assert.throws(() => named(text, name).rename(to), RenameRefused, to);
    }
    assert.equal(named('[[rule]]\nmcpName = "srv"\n', 'srv').rename('"x\\'), '[[rule]]\nmcpName = "\\"x\\\\"\n');
    assert.throws(() => named("[[rule]]\nmcpName = 'srv'\n", 'srv').rename("it's"), RenameRefused);
    assert.equal(named("[[rule]]\nmcpName = 'srv'\n", 'srv').rename('x"'), "[[rule]]\nmcpName = 'x\"'\n");
  });

  it('of a tool is the one with the longest name that fits', () => {
    assert.equal(serverOfTool('mcp_a_b_look', ['a', 'a b', 'b']), 'a b');
    assert.equal(serverOfTool('mcp_a_look', ['a', 'a_b']), 'a');
    assert.equal(serverOfTool('mcp_ab_look', ['a', 'a_b']), undefined);
    const { at } = named('[[rule]]\ntoolName = "mcp_a_b_look"\n', 'look');
    assert.deepEqual([at.kind, at.name], ['server', 'a_b']);
  });
});

/** The same rules with the new name. */
function meant(document: unknown, kind: 'server' | 'agent', old: string): unknown {
  const renamedTool = (tool: string): string => {
    if (kind === 'agent') return tool === old ? 'new_name' : tool;
    return serverOfTool(tool, SERVERS) === old ? tool.replace(`mcp_${old}_`, 'mcp_new_name_') : tool;
  };
  return JSON.parse(
    JSON.stringify(document, (key, value: unknown) => {
      if (key === 'toolName')
        return Array.isArray(value) ? value.map(String).map(renamedTool) : renamedTool(String(value));
      if (key === (kind === 'server' ? 'mcpName' : 'subagent') && value === old) return 'new_name';
      return value;
    }),
  );
}
