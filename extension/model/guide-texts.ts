export const WHO = 'This is the offline guide: a script, not an AI.';

export const ADD_A_KEY = `${WHO} A Gemini API key connects a real model.

1. Get a key from Google AI Studio: https://aistudio.google.com/apikey
2. Press **Set API key** in this panel, or run **Gantry: Set API Key…** from the Command Palette. VS Code's secret storage keeps it, and your next message goes to the model.

Two other ways, through the environment VS Code or the command line is started with:

- \`GEMINI_API_KEY\` holds a key.
- \`GOOGLE_GEMINI_BASE_URL\` names a gateway or any other endpoint that speaks the Gemini API. The setting \`gantry.model.baseUrl\` does the same.`;

export const TODAY = `What Gantry can do today:

- **Chat**: answers stream in as they are written, with the thinking folded away.
- **Read files** of the open folder, unsaved changes included, with one tool: \`read_file\`. Each call is shown as a card.
- **Stop** at any moment. What was said stays.
- **Restricted Mode**: in a folder you have not trusted it can read and explain, and nothing else.
- **Command line**: \`node dist/headless.js -p "your question"\`, with text or JSON as output.
- **Public API**: other extensions can create sessions of their own.

Not there yet: editing files, running commands in a terminal, searching the folder and any other tool, and sessions that outlive the window.

${WHO} To connect a model, ask **How do I add a key?**`;

export const HELP = `${WHO} No model is connected, so it has fixed answers only. Reading files is real. Try one of these:

- **Walk through this folder**
- **What can Gantry do today?**
- **How do I add a key?**
- **Read** and the name of a file, such as **Read package.json**`;

export const NO_FOLDER = `${WHO} No folder is open, so there is nothing to read. Open one with **File: Open Folder…**, then ask again.`;

export const NO_TOOL = `${WHO} It was not given the tool \`read_file\` this time, so it cannot look at files.`;

export const WALK_START = `${WHO} It looks for a README to show you what reading a file looks like.`;

export const WALK_END = `A script can count lines and list headings; understanding them takes a model. Gantry reads files today. It does not edit them or run commands yet.

To connect a model, ask **How do I add a key?**`;

export const READ_END = `${WHO} It shows what is in a file and cannot explain it. To connect a model, ask **How do I add a key?**`;
