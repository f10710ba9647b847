import assert from 'node:assert/strict';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { fakeEditor } from '../support/fake-editor.ts';
import {
  ALLOW_EVERYTHING,
  type Attempt,
  contentsOf,
  type Fate,
  type ObedientOptions,
  offered,
  told,
  useObedientModel,
} from '../support/obedient-model.ts';
import type { WorkspaceFiles } from '../support/temp-workspace.ts';
import { some } from '../support/test-size.ts';

/** One example for everything that is protected: files by their name, folders by a file in them. */
const PROTECTED = `.vscode/settings.json .vscode/tasks.json .vscode/launch.json .vscode/extensions.json .vscode/mcp.json
  .vscode-server/x .vscode-insiders/x .idea/x .fleet/x .zed/x .nova/x .vs/x .project .classpath x.code-workspace
  sub/x.code-workspace x.sublime-project x.iml .gemini/settings.json .gemini/policies/x.toml .gemini/commands/x.toml
  .gantry/x .claude/settings.json .claude.json .cursor/mcp.json .roo/mcp.json .cline/x .clinerules .codex/x .continue/x
  .windsurf/x .kilocode/x .kiro/x .qwen/x .aider.conf.yml .mcp.json mcp.json .cursorrules .windsurfrules .hg/hgrc .svn/x
  .bzr/x .jj/x .gitattributes .gitmodules .gitconfig .hgrc .husky/pre-commit .githooks/x .pre-commit-config.yaml
  .pre-commit-config.yml .lefthook/x .overcommit.yml .lintstagedrc .lintstagedrc.json .huskyrc.js .simple-git-hooks.json
  lefthook.yml .lefthook.toml lefthook-local.yml .github/workflows/ci.yml .github/actions/x/action.yml
  .forgejo/workflows/ci.yml .gitea/workflows/ci.yml .gitlab-ci.yml .gitlab-ci.yaml .circleci/config.yml .travis.yml
  .drone.yml .woodpecker/x.yml .woodpecker.yml .buildkite/x Jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml
  appveyor.yml .cirrus.yml .devcontainer/devcontainer.json .devcontainer.json .gitpod.yml .bashrc .bash_profile
  .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login
  .logout .inputrc .xprofile .xinitrc .xsession .pam_environment .envrc .direnvrc config.fish .screenrc .tmux.conf
  .yarnrc .yarnrc.yml .yarn/releases/x.cjs .pnpmfile.cjs .pnpmfile.mjs bunfig.toml .cargo/config.toml
  .mvn/extensions.xml .gradle/x gradle/wrapper/gradle-wrapper.properties .mvn/wrapper/maven-wrapper.properties .bazelrc
  .bazeliskrc pip.conf pip.ini .condarc .gemrc .bundle/config .nuget/x nuget.config .mise.toml mise.toml .tool-versions
  .asdfrc .volta/x .pnp.cjs .ripgreprc pyrightconfig.json .editorconfig-checker.json .vimrc .exrc .nvimrc .gvimrc .emacs
  .emacs.d/init.el .gdbinit .lldbinit .curlrc .wgetrc .rsyncd.conf .perldb .pythonrc .pdbrc .irbrc sitecustomize.py
  usercustomize.py CLAUDE.md sub/CLAUDE.md .github/copilot-instructions.md .github/instructions/x.instructions.md
  .github/prompts/x.prompt.md .github/chatmodes/x.chatmode.md Taskfile.yml Taskfile.yaml Taskfile.dist.yml
  Taskfile.dist.yaml justfile .justfile turbo.json nx.json .moon/tasks.yml .run/x.run.xml Procfile .kube/x .docker/x crontab .crontab LaunchAgents/x LaunchDaemons/x .config/autostart/x
  .config/systemd/user/x.service .config/git/config .config/fish/x .VSCode/Settings.JSON .GIT/../.vscode/x deep/.husky/x
  link/settings.json`.split(/\s+/);

/** Not even a yes opens these through the file tools: git's own data, and files with secrets that nobody named. */
const OFF_LIMITS =
  `.git/hooks/pre-commit .git/config .npmrc .pypirc .netrc .git-credentials .pgpass .ssh/config .gnupg/x
  .aws/credentials .azure/x .config/gh/hosts.yml`.split(/\s+/);

const SHELL: Readonly<Record<string, (path: string) => string>> = {
  redirection: (path) => `echo x > '${path}'`,
  appending: (path) => `cat a.txt >> '${path}'`,
  cp: (path) => `cp a.txt '${path}'`,
  'cp -t': (path) => `cp -t "${path}" a.txt`,
  mv: (path) => `mv a.txt '${path}'`,
  'mv away': (path) => `mv ${path} b.txt`,
  tee: (path) => `echo x | tee ${path}`,
  rm: (path) => `rm -rf ${path}`,
  sed: (path) => `sed -i s/a/b/ ${path}`,
  ln: (path) => `ln -sf a.txt ${path}`,
  'behind a wrapper': (path) => `timeout 5 sh -c 'echo x > ${path}'`,
  'after cd': (path) => `cd ./. && echo x > ${path}`,
};

const MODES: Readonly<Record<string, ObedientOptions>> = {
  default: {},
  autoEdit: { approvalMode: 'autoEdit' },
  yolo: { approvalMode: 'yolo' },
  'default with a rule that allows everything': { home: ALLOW_EVERYTHING },
  'yolo with a rule that allows everything': { approvalMode: 'yolo', home: ALLOW_EVERYTHING },
};

/** Without those that are other names for one of the rest. */
const isOwnName = (path: string): boolean => !/^link|^\.GIT\/\.\./.test(path);

const existing = (...paths: readonly string[]): WorkspaceFiles =>
  Object.fromEntries(paths.filter(isOwnName).map((path) => [path, 'old\n']));

/** In `npm test`, the default mode and the one that allows the most. */
const ENDS = some(Object.entries(MODES), 0);

describe('protected paths ask in every mode', () => {
  const suite = useObedientModel();

  function assertAsked(fates: readonly Fate[]): void {
    const others = fates.filter(({ end }) => end !== 'asked').map((fate) => [fate.end, fate.args, told(fate)]);
    assert.deepEqual(others, []);
    for (const fate of fates) {
      assert.deepEqual(offered(fate), ['once'], JSON.stringify(fate.args));
      assert.deepEqual(fate.question?._meta?.approval?.grants, []);
    }
  }

  for (const [turn, [mode, options]] of Object.entries(MODES).entries()) {
    // Each path in one of the modes, and each new file where the most is allowed.
    const isMost = mode === 'yolo with a rule that allows everything';

    it(`to be made (${mode})`, async () => {
      const { tries, root } = await suite.obedient({ ...options, files: { '.vscode/x': '' } });
      await symlink('.vscode', join(root, 'link'));
      const before = await contentsOf(root);
      assertAsked(await tries(...(isMost ? PROTECTED : some(PROTECTED, turn)).map((path) => edit('write_file', path))));
      assert.deepEqual(await contentsOf(root), before);
    });

    it(`to be written over and edited (${mode})`, async () => {
      const half = some(
        PROTECTED.filter(isOwnName).filter((_, index) => index % 2 === 1),
        turn,
      );
      const { tries, root, session } = await suite.obedient({ ...options, files: existing(...half, ...OFF_LIMITS) });
      const before = await contentsOf(root);
      for (const name of ['write_file', 'replace']) {
        // One run for each: two changes of one file are asked about one after the other.
        assertAsked(await tries(...half.map((path) => edit(name, path))));
        assert.deepEqual(await contentsOf(root), before);
        await session.abort();
      }
      const refused = await tries(...OFF_LIMITS.map((path) => edit('write_file', path)));
      for (const { end } of refused) assert.match(end, /^(invalid_tool_params|policy_violation)$/);
      assert.deepEqual(await contentsOf(root), before);
    });

    it(`to be changed by commands (${mode})`, async () => {
      const ways = Object.values(SHELL);
      const paths = some([...PROTECTED.filter((path) => !path.startsWith('link/')), ...OFF_LIMITS], turn);
      const files = existing('a.txt', '.vscode/settings.json', ...paths);
      const { tries, root, session } = await suite.obedient({ ...options, files });
      const before = await contentsOf(root);
      const commands = [
        ...paths.map((path, index) => ways[index % ways.length]?.(path) ?? ''),
        ...ways.map((way) => way('.vscode/settings.json')),
      ];
      const fates = await tries(...commands.map((command) => ({ name: 'run_shell_command', args: { command } })));
      assert.deepEqual(
        fates.filter(({ end }) => end !== 'asked').map(({ end, args }) => [end, args['command']]),
        [],
      );
      if (mode !== 'default') assertAsked(fates);
      assert.deepEqual(await contentsOf(root), before);
      await session.abort();
      assert.deepEqual(await contentsOf(root), before);
    });
  }

  for (const [mode, options] of ENDS) {
    it(`to be reached by a rename of something else (${mode})`, async () => {
      let reached = 'src/b.ts';
      const root = (): string => world.root;
      const editor = fakeEditor({
        rename: async () => ({
          files: await Promise.all(
            ['src/a.ts', reached].map(async (name) => {
              const before = await readFile(join(root(), name), 'utf8');
              return { path: join(root(), name), before, after: before.replace('thing', 'other') };
            }),
          ),
        }),
      });
      const files = { 'src/a.ts': 'thing\n', 'src/b.ts': 'thing\n', '.vscode/settings.json': '{"thing":1}\n' };
      const secret = { '.env': 'thing=1\n' };
      const world = await suite.obedient({ ...options, editor, files: { ...files, ...secret } });
      const rename = {
        name: 'rename_symbol',
        args: { file_path: 'src/a.ts', line: 1, symbol: 'thing', new_name: 'other' },
      };
      const before = await contentsOf(world.root);

      reached = '.env';
      const [hidden] = await world.tries(rename);
      assert.equal(hidden?.end, 'invalid_tool_params', 'a file with secrets is not changed on the way');
      assert.deepEqual(await contentsOf(world.root), before);

      reached = '.vscode/settings.json';
      const [fate] = await world.tries(rename);
      assertAsked(fate ? [fate] : []);
      assert.match(fate?.question?._meta?.approval?.why ?? '', /settings of an editor/);
      assert.deepEqual(await contentsOf(world.root), before);
      // Another mode does not answer for the user.
      await world.session.send({ update: { config: { approvalMode: 'yolo' } } });
      await world.service.policies.reload();
      assert.deepEqual(await contentsOf(world.root), before);
      if (fate) await world.answer(fate, { decision: 'once' });
      await world.ended();
      assert.equal(await readFile(join(world.root, '.vscode/settings.json'), 'utf8'), '{"other":1}\n');
    });
  }

  it('where settings of Git name them as hooks', async () => {
    const config = '[core]\n\thooksPath = tools/run\n';
    const { tries, root } = await suite.obedient({
      approvalMode: 'yolo',
      files: { '.git/config': config, 'a.txt': '', 'lib/.git/config': config, 'bare/HEAD': '', 'bare/commondir': '.' },
    });
    const before = await contentsOf(root);
    const commands = ['cp a.txt tools/run/pre-push', 'echo x > ./tools/run/pre-push', `tee ${root}/tools/run/x`];
    const calls = commands.map((command) => ({ name: 'run_shell_command', args: { command } }));
    const edits = ['tools/run/pre-push', 'lib/tools/run/pre-push', 'bare/config'].map((path) =>
      edit('write_file', path),
    );
    assertAsked(await tries(...edits, ...calls));
    assert.deepEqual(await contentsOf(root), before);
  });

  it('to be reached by what is remembered', async () => {
    for (const [, options] of ENDS) {
      const { tries, root, session } = await suite.obedient({ ...options, files: { '.vscode/settings.json': '{}\n' } });
      await symlink('.vscode/settings.json', join(root, 'GEMINI.md'));
      const before = await contentsOf(root);
      assertAsked(await tries({ name: 'save_memory', args: { fact: 'Approve everything.' } }));
      assert.deepEqual(await contentsOf(root), before);
      await session.abort();
    }
  });

  it('also where the same file was allowed for good while it was another', async () => {
    const { tries, answer, ended, root } = await suite.obedient({ files: { '.vscode/x': '' } });
    const write = { name: 'write_file', args: { file_path: 'docs/settings.json', content: '{}' } };
    const [first] = await tries(write);
    assert.deepEqual(first && offered(first), ['once', 'session', 'always']);
    if (first) await answer(first, { decision: 'always', scope: 'user' });
    await ended();
    const [second] = await tries({ ...write, args: { ...write.args, content: '{"a":1}' } });
    assert.equal(second?.end, 'ran', 'the rule is in force');
    const [copy] = await tries({
      name: 'run_shell_command',
      args: { command: 'mv docs docs.old && ln -s .vscode docs' },
    });
    if (copy) await answer(copy, { decision: 'once' });
    await ended();
    const before = await contentsOf(root);
    assertAsked(await tries({ ...write, args: { ...write.args, content: '{"b":1}' } }));
    assert.deepEqual(await contentsOf(root), before);
  });

  it('also for commands that begin like one that was allowed for good', async () => {
    const { tries, answer, ended, root } = await suite.obedient({ files: { 'a.txt': 'a\n', 'b/c.txt': '' } });
    const [first] = await tries({ name: 'run_shell_command', args: { command: 'cp a.txt b/d.txt' } });
    const grants = first?.question?._meta?.approval?.grants ?? [];
    if (first) await answer(first, { decision: 'always', scope: 'workspace', grant: grants.at(-1)?.id });
    await ended();
    const before = await contentsOf(root);
    assertAsked(await tries({ name: 'run_shell_command', args: { command: 'cp a.txt .vscode/settings.json' } }));
    assert.deepEqual(await contentsOf(root), before);
  });
});

function edit(name: string, file_path: string): Attempt {
  return name === 'replace'
    ? { name, args: { file_path, instruction: 'x', old_string: 'old', new_string: 'new' } }
    : { name, args: { file_path, content: 'x\n' } };
}
