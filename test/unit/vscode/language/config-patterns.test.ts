import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, it } from 'mocha';
import picomatch from 'picomatch';
import { documentKind } from '../../../../extension/language-server/document-kind.ts';
import { readStartOptions } from '../../../../extension/language-server/start-options.ts';
import { adminFolder } from '../../../../extension/policy/rules/policy-folders.ts';
import { configFilePatterns } from '../../../../extension/vscode/language/config-patterns.ts';

const policyPaths = ['/etc/team', '/opt/rules/[our] {best}.toml'];
const extensions = ['/work/tool'];
const shippedPolicies = '/gantry/dist/assets/policies';
const initializationOptions = { policyPaths, shippedPolicies, home: '/home/me', trusted: true };
const params = { capabilities: {}, processId: null, rootUri: null, initializationOptions };
const options = readStartOptions(params);

/** Combines what makes a file one of Gantry's, and what does not. */
const FOLDERS = [
  '/work/app',
  '/work/tool',
  '/work/tool/sub',
  '/home/me',
  '/work/app/sub/.gemini/x',
  '/etc/team',
  '/etc/team/deep',
  '/opt/rules',
];
const WITHIN = ['', '.gemini', '.gemini/extensions/one', '.gemini/extensions', '.gemini/tmp', '.vscode'];
const KINDS = ['', 'policies', 'policies/old', 'agents', 'commands', 'commands/git', 'hooks', 'skills/pdf', 'src'];
const NAMES = 'a.toml a.md [our] {best}.toml hooks.json settings.json mcp.json .mcp.json gemini-extension.json SKILL.md'
  .replace('[our] {best}', '[our]\0{best}')
  .split(' ')
  .map((name) => name.replace('\0', ' '));
const MEMORY = ['GEMINI.md', 'AGENTS.md', 'README.md', 'Makefile', 'package.json'];

describe('Files that configure the agent', () => {
  const patterns = configFilePatterns({ policyPaths, shippedPolicies, memoryNames: ['NOTES {x}.md'], extensions });
  const matchers = patterns.map(({ folder, pattern }) => {
    const matches = picomatch(pattern, { dot: true });
    const start = folder === undefined ? '' : `${folder.replace(/\/$/, '')}/`;
    return (path: string): boolean => path.startsWith(start) && matches(path.slice(start.length));
  });
  const isFound = (path: string): boolean => matchers.some((matches) => matches(path));

  it('are found by VS Code if, and only if, the language server knows them', () => {
    const paths = FOLDERS.flatMap((folder) =>
      WITHIN.flatMap((within) =>
        KINDS.flatMap((kind) =>
          [...NAMES, ...MEMORY].map((name) => [folder, within, kind, name].filter((part) => part !== '').join('/')),
        ),
      ),
    );
    const shipped = [`${shippedPolicies}/plan.toml`, `${dirname(shippedPolicies)}/plan.toml`];
    const admin = (['linux', 'darwin'] as const).map((platform) => `${adminFolder(platform)}/rules.toml`);
    assert.deepEqual(
      [...paths, ...shipped].filter(
        (path) => isFound(path) !== (documentKind(path, options, { extensions }) !== undefined),
      ),
      [],
    );
    assert.deepEqual(admin.filter(isFound), admin);
  });

  it('have the names that settings give to files with instructions', () => {
    assert.ok(isFound('/work/app/NOTES {x}.md'));
    assert.ok(!isFound('/work/app/NOTES.md'));
  });
});
