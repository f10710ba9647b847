import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { plainLines } from '../../../../extension/protocol/words/terminal-lines.ts';
import { looksLikePrompt } from '../../../../extension/tools/shell/input-prompt.ts';

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
