import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { afterEach, describe, it } from 'mocha';
import { RunningCommand } from '../../../../extension/processes/shell/running-command.ts';
import { readsTerminal } from '../../../../extension/processes/shell/terminal-reader.ts';
import { plainLines } from '../../../../extension/protocol/words/terminal-lines.ts';
import {
  INPUT_MS,
  looksLikePrompt,
  type ReadyServer,
  SERVER_MS,
  serverReady,
  watchCommand,
} from '../../../../extension/tools/shell/command-watch.ts';
import { eventually } from '../../../support/poll.ts';
import { createPtyShell } from '../../../support/shells.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

describe('A command that is watched', () => {
  const started: RunningCommand[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((command) => command.kill()));
  });

  interface Watched {
    readonly command: RunningCommand;
    readonly waiting: boolean[];
    readonly servers: ReadyServer[];
    /** The command writes nothing for this time. */
    silence(ms: number): void;
    /** Resolves once the command wrote this text. */
    wrote(text: string): Promise<true>;
  }

  const watch = (line: string): Watched => {
    const shell = createPtyShell(process.env);
    const command = new RunningCommand(shell.start(line, { folder: tmpdir() }), line, tmpdir());
    started.push(command);
    const waiting: boolean[] = [];
    const servers: ReadyServer[] = [];
    const time = new VirtualTime();
    watchCommand(
      command,
      { onWaiting: (now) => waiting.push(now), onServer: (server) => servers.push(server) },
      time.alarm,
    );
    return {
      command,
      waiting,
      servers,
      silence: (ms) => time.pass(ms / 60_000),
      wrote: (text) => seen(`the output "${text}"`, () => command.output.last(4000).includes(text)),
    };
  };
  const seen = (what: string, holds: () => boolean | Promise<boolean>): Promise<true> =>
    eventually(what, async () => (await holds()) || undefined, { intervalMs: 10 });
  const reads = ({ pid = 0 }: RunningCommand): Promise<boolean> => readsTerminal(pid);

  it('waits for input from its question to its answer', async () => {
    const { command, waiting, silence, wrote } = watch('read -p "Name: " name; echo "Hello $name"; sleep 100');
    await wrote('Name: ');
    silence(INPUT_MS - 1);
    assert.deepEqual(waiting, []);
    silence(1);
    await seen('that it waits', () => waiting.at(-1) === true);
    command.write('Ada\r');
    await seen('that it does not wait any more', () => waiting.at(-1) === false);
    assert.deepEqual(waiting, [true, false]);
  });

  it('is known to wait without a question where the system tells who reads', async function () {
    if (process.platform !== 'linux') this.skip();
    const { command, waiting, silence, wrote } = watch('echo Paste it here and press Ctrl+D.; cat > /dev/null');
    await wrote('Ctrl+D.');
    await seen('that it reads', () => reads(command));
    silence(INPUT_MS);
    await seen('that it waits', () => waiting.at(-1) === true);
  });

  it('does not wait while it works without a word', async () => {
    const { command, waiting, silence, wrote } = watch('echo Working; sleep 100');
    await wrote('Working');
    silence(10 * INPUT_MS);
    // As long as the watch takes to look.
    assert.equal(await reads(command), false);
    assert.equal(await reads(command), false);
    assert.deepEqual(waiting, []);
  });

  it('is a server once it has come up and is quiet', async () => {
    const line = 'echo "Listening on http://localhost:4321/"; sleep 100';
    const { command, servers, waiting, silence, wrote } = watch(line);
    await wrote('4321/');
    silence(SERVER_MS - 1);
    assert.deepEqual(servers, []);
    silence(1);
    assert.deepEqual(servers, [{ url: 'http://localhost:4321/' }]);
    assert.deepEqual(waiting, []);
    assert.equal(command.exit, undefined);
  });

  it('is no server when it continues to its end', async () => {
    const { command, servers, silence, wrote } = watch(
      'echo "Listening on port 1"; for i in 1 2 3; do read line; done',
    );
    await wrote('port 1');
    for (const text of ['one', 'two', 'three']) {
      silence(SERVER_MS - 1);
      // The terminal echoes it, so the command writes again.
      command.write(`${text}\r`);
      await wrote(text);
    }
    await command.ended;
    silence(SERVER_MS);
    assert.deepEqual(servers, []);
  });
});

/** What a program wrote last, the cursor being behind it. */
const PROMPTS: Readonly<Record<string, string>> = {
  'sudo that wants a password': '[sudo] password for me: ',
  'ssh with an unknown host':
    "The authenticity of host 'x (10.0.0.1)' can't be established.\r\nAre you sure you want to continue connecting (yes/no/[fingerprint])? ",
  'ssh with a key': "Enter passphrase for key '/home/me/.ssh/id_ed25519': ",
  'ssh with a password': "me@example.com's password: ",
  'git over https': "Username for 'https://github.com': ",
  'npm init': 'Press ^C at any time to quit.\r\npackage name: (demo) ',
  'npm init at its end': 'Is this OK? (yes) ',
  'npx that wants to install': 'Need to install the following packages:\r\ncreate-vite@7.2.0\r\nOk to proceed? (y) ',
  'apt that wants to go on': 'Do you want to continue? [Y/n] ',
  'rm -i': "rm: remove regular file 'a.txt'? ",
  "Python's input": 'Enter your name: ',
  "Python's input without a colon": 'What is your name? ',
  'a question with a default': 'Overwrite existing file? (y/N) ',
  'a question in square brackets': 'Proceed [yes/no]: ',
  'a key to press': 'Press any key to continue . . . ',
  'Enter to press': 'Press ENTER to continue',
  'less at the beginning': 'line 29\r\nline 30\r\n:',
  'less at the end': 'line 30\r\n\x1b[7m(END)\x1b[27m',
  more: '\x1b[7m--More--(42%)\x1b[27m',
  Python: 'Type "help" for more information.\r\n>>> ',
  Node: 'Welcome to Node.js v20.\r\n> ',
  SQLite: 'sqlite> ',
  gdb: '(gdb) ',
  'a question in colours': '\x1b[32m?\x1b[39m \x1b[1mProject name:\x1b[22m \x1b[2m»\x1b[22m vite-project',
  'a list to choose from':
    '? Select a framework: » - Use arrow-keys. Return to submit.\r\n>   Vanilla\r\n    Vue\r\n    React\r\n',
  'a list of clack': '◆  Pick a linter\r\n│  ● ESLint\r\n│  ○ Biome\r\n└\r\n',
};

const NO_PROMPTS: Readonly<Record<string, string>> = {
  nothing: '',
  'a line that is finished': 'Compiled 3 files.\r\n',
  'a question that is only told of': 'Why did this fail?\r\n',
  'a bar': 'Downloading [=========>          ] 45%',
  'a bar that is drawn over': 'Downloading 10%\rDownloading 20%\rDownloading 30%',
  "npm's bar": '[##################] - reify:lodash: timing reifyNode Completed in 100ms',
  "Cargo's bar": '    Building [=======>                 ] 12/30: serde',
  'a spinner': '⠋ Installing dependencies',
  'an old spinner': '| Working',
  'a download': 'remote: Compressing objects: 12 of 40',
  bytes: 'Receiving 12.4 MB',
  'what a program does': 'Resolving dependencies:',
  'dots that mean work': 'Building for production...',
  'an ellipsis that means work': 'Waiting for the server…',
  'a test that runs': '  12 passing (3s)\r\n\r\n',
};

describe('The end of an output', () => {
  for (const [name, output] of Object.entries(PROMPTS)) {
    it(`of ${name} waits for somebody to type`, () => assert.equal(looksLikePrompt(plainLines(output)), true));
  }
  for (const [name, output] of Object.entries(NO_PROMPTS)) {
    it(`with ${name} waits for nobody`, () => assert.equal(looksLikePrompt(plainLines(output)), false));
  }
});

const SERVERS: Readonly<Record<string, readonly [output: string, url: string | undefined]>> = {
  Vite: [
    '  VITE v7.1.0  ready in 312 ms\n\n  ➜  Local:   http://localhost:5173/\n  ➜  Network: use --host to expose\n',
    'http://localhost:5173/',
  ],
  'Next.js': ['  ▲ Next.js 15\n  - Local:        http://localhost:3000\n ✓ Ready in 1.2s\n', 'http://localhost:3000'],
  Express: ['Example app listening on port 3000\n', undefined],
  'a server with its address': ['Server listening at http://127.0.0.1:8080.\n', 'http://127.0.0.1:8080'],
  Python: ['Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...\n', 'http://0.0.0.0:8000/'],
  Flask: [' * Running on http://127.0.0.1:5000\nPress CTRL+C to quit\n', 'http://127.0.0.1:5000'],
  TypeScript: ['12:00:00 - Found 0 errors. Watching for file changes.\n', undefined],
  nodemon: ['[nodemon] watching path(s): *.*\n[nodemon] starting `node app.js`\n', undefined],
  webpack: ['webpack 5.9 compiled successfully in 1200 ms\n', undefined],
  Rails: ['* Listening on http://127.0.0.1:3000\nUse Ctrl-C to stop\n', 'http://127.0.0.1:3000'],
};

const OTHERS: Readonly<Record<string, string>> = {
  'a test run': '  12 passing (3s)\n  1 failing\n',
  'an address alone': 'Fetching https://example.com/a.tar.gz\n',
  'an install': 'added 12 packages, and audited 13 packages in 2s\n',
  'a build': 'Building for production...\n',
  nothing: '',
};

describe('An output', () => {
  for (const [name, [output, url]] of Object.entries(SERVERS)) {
    it(`of ${name} is that of something that stays`, () => assert.deepEqual(serverReady(output), { url }));
  }
  for (const [name, output] of Object.entries(OTHERS)) {
    it(`with ${name} is not`, () => assert.equal(serverReady(output), undefined));
  }
});
