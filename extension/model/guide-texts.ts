export const WHO = 'This is the offline guide: a script, not an AI.';

export const CONNECT = `${WHO} The shortest way to a real model is a Gemini API key.

1. Get a key from Google AI Studio: https://aistudio.google.com/apikey
2. Press **Set API key** in this panel, or run **Gantry: Set API Key…** from the Command Palette. VS Code's secret storage keeps it, and your next message goes to the model.

Other ways, through the settings or the environment VS Code or the command line is started with:

- **A key in the environment**: \`GEMINI_API_KEY\`.
- **Vertex AI**: \`gantry.auth.project\` and \`gantry.auth.location\`, with the credentials that \`gcloud auth application-default login\` leaves, or those of the machine.
- **Your Google account**: **Gantry: Sign In with Google…**, with an OAuth client of yours in \`gantry.auth.clientId\`.
- **A gateway**, or any other endpoint that speaks the Gemini API: \`gantry.model.baseUrl\` or \`GOOGLE_GEMINI_BASE_URL\`, with its headers in \`gantry.auth.headers\`.

\`gantry.auth.method\` chooses among them. As long as it is *offline*, this guide answers.`;

export const TODAY = `What Gantry can do today:

- **Read and search** the open folder, unsaved changes included, and ask the editor about problems, symbols and uses.
- **Edit files**: you see the change as a diff and say yes or no, as a whole or hunk by hunk. **Rewind…** takes it back.
- **Run commands**, each on a terminal of its own, with the output in the panel.
- **Fetch pages** you agree to, and search the web.
- **Ask you**, make a **plan** first, keep a todo list, and note facts in \`GEMINI.md\`.
- **Rules decide what runs**: approval modes from *default* to *yolo*, answers for a session or for always, and policy files that **Gantry: Open Policies** lists. Hooks run your own checks.
- **Sessions** are kept: resume, rewind, fork and export them.
- **Restricted Mode**: in a folder you have not trusted it can read and explain, and nothing else.
- **Command line**: \`node dist/headless.js -p "your question"\`, with text or JSON as output. **Public API** for other extensions.

Not there yet: MCP servers and subagents.

${WHO} For a model, ask **How do I connect a model?**`;

export const HELP = `${WHO} No model is connected, so it has fixed answers only. The tools it uses are real. Try one of these:

- **Walk through this folder**
- **Show me an edit**
- **Run a command**
- **Ask me something**
- **What can Gantry do today?**
- **How do I connect a model?**
- **Read** and the name of a file, such as **Read package.json**`;

export const NEXT = `Try **Show me an edit**, **Run a command** or **Ask me something** next. For a model, ask **How do I connect a model?**`;

export const NO_FOLDER = `${WHO} No folder is open, so there is nothing to work on. Open one with **File: Open Folder…**, then ask again.`;

export function noTool(name: string): string {
  if (name === 'read_file')
    return `${WHO} It was not given the tool \`read_file\` this time, so it cannot look at files.`;
  return `${WHO} It was not given the tool \`${name}\` this time. In a folder that is not trusted Gantry only reads; **Workspaces: Manage Workspace Trust** changes that.`;
}

export const WALK_START = `${WHO} It looks for a README to show you what reading a file looks like.`;

export const WALK_END = `A script can count lines and list headings; understanding them takes a model. Reading runs without a question. What changes something asks first.

${NEXT}`;

export const READ_END = `${WHO} It shows what is in a file and cannot explain it. For a model, ask **How do I connect a model?**`;

export const TOUR_FILE = 'gantry-tour.md';

export const TOUR_TEXT = `# A file from the tour

Gantry's offline guide wrote this after you said yes.
Delete it, or go back with "Gantry: Rewind…".
`;

export const EDIT_START = `${WHO} It proposes a small file, \`${TOUR_FILE}\`. Nothing is on the disk before you answer: read the change, then allow or reject it.`;

export const EDIT_END = `\`${TOUR_FILE}\` is in your folder now. Open the step above to see the change again, or take it back with **Gantry: Rewind…**.

An answer "for this session" or "always" would let later changes to that one file run without a question.

${NEXT}`;

export const COMMAND_START = `${WHO} It asks to run \`git --version\`, which changes nothing. You see the whole command and the folder it runs in.`;

export const COMMAND_END = `The command has ended. Open the step above for its output and exit code; the model would read the same.

A command that only reads may run without a question. **Gantry: Open Policies** shows the rules.

${NEXT}`;

export const QUESTION_START = `${WHO} This is how a model asks when a decision is yours.`;

export const QUESTION = {
  question: 'What should an agent do when it is not sure?',
  header: 'Not sure',
  type: 'choice',
  options: [
    { label: 'Ask me', description: 'One question, then it goes on' },
    { label: 'Make a plan', description: 'It reads, writes a plan and waits for your yes' },
    { label: 'Go on', description: 'You can rewind the conversation and its files' },
  ],
};

export const QUESTION_END = `That is what the model would get.

${NEXT}`;

export const NOT_DONE = 'It was not done, and the model would be told why:';
