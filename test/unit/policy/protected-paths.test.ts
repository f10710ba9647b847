import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { protectedPath } from '../../../extension/policy/protected-paths.ts';
import { looksSecret } from '../../../extension/policy/secret-files.ts';

const places = { home: '/home/u', roots: ['/work/app', '/home/u/.dotfiles'] };
const isProtected = (path: string): boolean => protectedPath(path, places) !== undefined;

const PROTECTED =
  `.vscode .vscode/settings.json .vscode/tasks.json .vscode/launch.json .vscode/extensions.json .vscode/mcp.json
  .idea/workspace.xml app.code-workspace sub/x.code-workspace .gemini/settings.json .gemini/policies/a.toml .gemini/commands/a.toml
  .mcp.json .claude/settings.json .cursor/mcp.json .roo/mcp.json .git/config .git/hooks/pre-commit .hg/hgrc .svn/entries
  .gitattributes .gitmodules .husky/pre-commit .githooks/x .pre-commit-config.yaml lefthook.yml .lefthook.toml
  .github/workflows/ci.yml .gitlab-ci.yml .circleci/config.yml Jenkinsfile .devcontainer/devcontainer.json .devcontainer.json
  .bashrc home/.zshrc .profile .envrc .npmrc .yarnrc .yarnrc.yml .yarn/releases/x.cjs .pnpmfile.cjs bunfig.toml .cargo/config.toml
  .mvn/extensions.xml gradle/wrapper/gradle-wrapper.properties .bazelrc .ripgreprc pyrightconfig.json .ssh/config .netrc crontab
  .config/systemd/user/a.service GEMINI.md src/AGENTS.md .agents/skills/x/SKILL.md .config/autostart/a.desktop .config/fish/config.fish .vimrc sitecustomize.py`.split(
    /\s+/,
  );

const ORDINARY =
  `src/a.ts README.md vscode/settings.json git/config .gitignore .geminiignore .github/CODEOWNERS package.json
  src/github/workflows.ts docs/.nojekyll settings.json src/npmrc.ts lefthook/a.go crontab.md .editorconfig .prettierrc a.b.c
  node_modules/x/index.js "" . .. src/../a.ts`.split(/\s+/);

/** The same file under another name, on one disk or another. */
const DISGUISES: Readonly<Record<string, (path: string) => string>> = {
  'upper case': (path) => path.toUpperCase(),
  'mixed case': (path) =>
    path.replace(/[a-z]/g, (letter, index: number) => (index % 2 ? letter.toUpperCase() : letter)),
  backslashes: (path) => path.replaceAll('/', '\\'),
  'a dot at the end of each name': (path) => path.replace(/(?<=[^/])(?=\/|$)/g, '.'),
  'a space at the end': (path) => `${path} `,
  'a stream': (path) => `${path}::$DATA`,
  'another stream': (path) => `${path}:x`,
  'decomposed letters': (path) => path.normalize('NFD'),
  'a character nobody sees': (path) => path.replace(/(?<=[a-z])/, '\u200c'),
  'a joiner at the end': (path) => `${path}\u200d`,
  detours: (path) => `./x/..//${path.replaceAll('/', '//')}`,
  'a folder above': (path) => `deep/down/${path}`,
  'an absolute path': (path) => `/work/app/${path}`,
  'a drive': (path) => `C:\\work\\${path}`,
  'a URI': (path) => `file:///work/app/${path}`,
};

describe('protected paths', () => {
  for (const path of PROTECTED) {
    it(`include ${path}, however it is written`, () => {
      assert.ok(isProtected(path));
      for (const [how, disguise] of Object.entries(DISGUISES))
        assert.ok(isProtected(disguise(path)), `${how}: ${disguise(path)}`);
    });
  }

  for (const path of ORDINARY) {
    it(`do not include ${path}`, () => assert.deepEqual(protectedPath(path, places), undefined));
  }

  for (const path of [
    'VSCODE~1\\settings.json',
    'GIT~1/hooks/x',
    'GITATT~1',
    'VS1A2B~1/tasks.json',
    'GEMINI~2/settings.json',
    'app~1.cod',
  ]) {
    it(`include the short name ${path}`, () => assert.ok(isProtected(path)));
  }

  it('include settings in the home folder and of the system, unless they are what is being worked on', () => {
    for (const path of ['/home/u/.foo/bar', '~/.foo', '/etc/hosts', '/home/u/.config/x', 'C:\\Windows\\System32\\x']) {
      assert.ok(isProtected(path), path);
    }
    for (const path of [
      '/home/u/notes.md',
      '~/notes.md',
      '/home/u/.dotfiles/foo',
      '/work/app/etc/x',
      'etc/x',
      '/tmp/x',
    ]) {
      assert.ok(!isProtected(path), path);
    }
    assert.ok(isProtected('/home/u/.dotfiles/.bashrc'));
  });

  it('say what they are', () => {
    assert.deepEqual(protectedPath('.vscode/tasks.json', places), { what: 'settings of an editor' });
  });

  it('include a path with a NUL in it', () => assert.ok(isProtected('a\0b')));

  it('are decided for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        protectedPath(text, places);
        assert.ok(isProtected(`.git/${text.replaceAll('..', '')}`));
      }),
    );
  });
});

describe('files that look secret', () => {
  for (const path of `.env .env.local sub/.ENV prod.env a.pem server.key id_rsa id_rsa.bak id_ed25519 x.p12 x.pfx x.keystore .netrc .npmrc
    credentials.json credentials-prod.json service-account.json service_account-x.json .aws/credentials .aws/config x.kdbx .pgpass
    .htpasswd secrets.yaml secret.json client_secret_1.json .ssh/known_hosts .kube/config .docker/config.json terraform.tfstate
    .env::$DATA .env. .e\u200bnv`.split(/\s+/)) {
    it(`include ${JSON.stringify(path)}`, () => assert.ok(looksSecret(path)));
  }
  for (const path of `.env.example .env.sample .env.template environment.ts env.ts key.ts keyboard.json id_rsa.pub README.md
    src/credentials.ts monkey.js package.json tokens.json`.split(/\s+/)) {
    it(`do not include ${path}`, () => assert.ok(!looksSecret(path)));
  }
});
