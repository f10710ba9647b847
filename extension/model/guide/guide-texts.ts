import * as l10n from '@vscode/l10n';

/** Separates paragraphs. */
const GAP = '\n\n';

export const who = (): string => l10n.t('This is the offline guide: a script, not an AI.');

/** Requests that the guide can answer, as the panel suggests them. */
export const walkRequest = (): string => l10n.t('Walk through this folder');
export const editRequest = (): string => l10n.t('Show me an edit');
export const commandRequest = (): string => l10n.t('Run a command');
export const askRequest = (): string => l10n.t('Ask me something');
export const todayRequest = (): string => l10n.t('What can Gantry do today?');
export const connectRequest = (): string => l10n.t('How do I connect a model?');

const bold = (text: string): string => `**${text}**`;

export function connect(): string {
  return [
    `${who()} ${l10n.t('The shortest way to a real model is a Gemini API key.')}`,
    [
      `1. ${l10n.t('Get a key from Google AI Studio: {0}', 'https://aistudio.google.com/apikey')}`,
      `2. ${l10n.t('Select **Set API key** in this panel, or run **Gantry: Set API Key…** from the Command Palette. VS Code keeps the key in its secret storage, and your next message goes to the model.')}`,
    ].join('\n'),
    l10n.t('You can also use the settings, or the environment that VS Code or the command line is started with:'),
    [
      l10n.t('**A key in the environment**: `GEMINI_API_KEY`.'),
      l10n.t(
        '**Vertex AI**: `gantry.auth.project` and `gantry.auth.location`, with the credentials of `gcloud auth application-default login` or of the machine.',
      ),
      l10n.t(
        '**Your Google account**: **Gantry: Sign In with Google…**, with your own OAuth client in `gantry.auth.clientId`.',
      ),
      l10n.t(
        '**A gateway**, or any other endpoint that supports the Gemini API: `gantry.model.baseUrl` or `GOOGLE_GEMINI_BASE_URL`, with its headers in `gantry.auth.headers`.',
      ),
    ]
      .map(listed)
      .join('\n'),
    l10n.t('`gantry.auth.method` chooses among them. As long as it is *offline*, this guide answers.'),
  ].join(GAP);
}

export function today(): string {
  return [
    l10n.t('What Gantry can do today:'),
    [
      l10n.t(
        '**Read and search** the open folder, including unsaved changes, and ask the editor about problems, symbols and references.',
      ),
      l10n.t(
        '**Edit files**: you see the change as a diff and accept or reject it, as a whole or hunk by hunk. **Rewind…** reverts it.',
      ),
      l10n.t('**Run commands**, each in its own terminal, with the output in the panel.'),
      l10n.t('**Fetch web pages** that you approve, and search the web.'),
      l10n.t('**Ask you**, make a **plan** first, keep a todo list, and note facts in `GEMINI.md`.'),
      l10n.t(
        '**Rules decide what runs**: approval modes from *default* to *yolo*, answers for a session or always, and policy files that **Gantry: Open Policies** lists. Hooks run your own checks.',
      ),
      l10n.t(
        '**Hand tasks to agents**, built-in ones and your own, and use **MCP servers**, **skills** and **custom commands**.',
      ),
      l10n.t('**Sessions** are kept: resume, rewind, fork and export them.'),
      l10n.t("**Restricted Mode**: in a folder that you don't trust, Gantry can read and explain, and nothing else."),
      l10n.t(
        '**Command line**: `gantry -p "your question"`, with text or JSON as output. **Public API** for other extensions.',
      ),
    ]
      .map(listed)
      .join('\n'),
    `${who()} ${forModel()}`,
  ].join(GAP);
}

export function help(): string {
  const requests = [walkRequest(), editRequest(), commandRequest(), askRequest(), todayRequest(), connectRequest()];
  const reading = l10n.t('**Read** and the name of a file, such as **Read {0}**', 'package.json');
  return [
    `${who()} ${l10n.t('No model is connected, so it has fixed answers only. The tools it uses are real. Try one of these:')}`,
    [...requests.map(bold), reading].map(listed).join('\n'),
  ].join(GAP);
}

export function next(): string {
  const tries = [editRequest(), commandRequest(), askRequest()].map(bold);
  return `${l10n.t('Try {0}, {1} or {2} next.', ...tries)} ${forModel()}`;
}

const forModel = (): string => l10n.t('To connect a model, ask {0}', bold(connectRequest()));

export const noFolder = (): string =>
  `${who()} ${l10n.t('No folder is open, so there is nothing to work on. Open one with **File: Open Folder…**, then ask again.')}`;

export function noTool(name: string): string {
  const why =
    name === 'read_file'
      ? l10n.t("The tool `read_file` is not available, so the guide can't read files.")
      : l10n.t(
          'The tool {0} is not available. In a folder that is not trusted, Gantry only reads; **Workspaces: Manage Workspace Trust** changes that.',
          `\`${name}\``,
        );
  return `${who()} ${why}`;
}

export const walkStart = (): string =>
  `${who()} ${l10n.t('It looks for a README to show you what reading a file looks like.')}`;

export const walkEnd = (): string =>
  [
    l10n.t(
      'A script can count lines and list headings. To understand them, you need a model. Gantry reads without asking, and asks before it changes anything.',
    ),
    next(),
  ].join(GAP);

export const nothingToStartFrom = (): string => l10n.t('There is nothing to start from in this folder:');
export const notRead = (path: string, why: string): string => l10n.t('{0} could not be read: {1}', `\`${path}\``, why);
export const reads = (path: string): string => l10n.t("The script's next step is to read {0}.", path);

export const readEnd = (): string => `${who()} ${l10n.t("It can show a file, but it can't explain it.")} ${forModel()}`;

export const TOUR_FILE = 'gantry-tour.md';

export const tourText = (): string =>
  [
    `# ${l10n.t('A file from the tour')}`,
    '',
    l10n.t("Gantry's offline guide wrote this after you approved it."),
    l10n.t('Delete it, or go back with "Gantry: Rewind…".'),
    '',
  ].join('\n');

export const editStart = (): string =>
  `${who()} ${l10n.t('It proposes a small file, {0}. Nothing is written before you answer. Read the change, then allow or reject it.', `\`${TOUR_FILE}\``)}`;

export const editEnd = (): string =>
  [
    l10n.t(
      '{0} is in your folder now. Open the step above to see the change again, or revert it with **Gantry: Rewind…**.',
      `\`${TOUR_FILE}\``,
    ),
    l10n.t('An answer "for this session" or "always" allows later changes to this file without asking.'),
    next(),
  ].join(GAP);

export const commandStart = (): string =>
  `${who()} ${l10n.t('It asks to run `git --version`, which changes nothing. You see the whole command and the folder it runs in.')}`;
export const commandPurpose = (): string => l10n.t('Prints which version of Git is installed');

export const commandEnd = (): string =>
  [
    l10n.t('The command has ended. Open the step above for its output and exit code; the model would read the same.'),
    l10n.t('A command that only reads runs without asking. **Gantry: Open Policies** shows the rules.'),
    next(),
  ].join(GAP);

export const questionStart = (): string => `${who()} ${l10n.t('This is how a model asks you for a decision.')}`;

export const question = (): Readonly<Record<string, unknown>> => ({
  question: l10n.t('What should an agent do when it is not sure?'),
  header: l10n.t('Not sure'),
  type: 'choice',
  options: [
    { label: l10n.t('Ask me'), description: l10n.t('One question, then it continues') },
    { label: l10n.t('Make a plan'), description: l10n.t('It reads, writes a plan and asks for approval') },
    { label: l10n.t('Continue'), description: l10n.t('You can rewind the conversation and its files') },
  ],
});

export const questionEnd = (): string => [l10n.t('The model would get this answer.'), next()].join(GAP);

export const notDone = (): string => l10n.t('It was not done, and the model would get the reason:');

function listed(item: string): string {
  return `- ${item}`;
}
