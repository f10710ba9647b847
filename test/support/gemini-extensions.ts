import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The contents of files, by path relative to the folder of the extension. */
export type ExtensionFiles = Readonly<Record<string, string>>;

export function manifest(name: string, fields: object = {}): string {
  return JSON.stringify({ name, version: '1.0.0', ...fields }, undefined, 2);
}

/** Creates an extension in the folder where Gemini CLI installs it. Returns its folder. */
export async function installExtension(home: string, name: string, files: ExtensionFiles = {}): Promise<string> {
  const folder = join(home, '.gemini', 'extensions', name);
  for (const [path, text] of Object.entries({ 'gemini-extension.json': manifest(name), ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** An extension that contains everything an extension can. `mark` distinguishes two of them. */
export function everything(name: string, mark = name): ExtensionFiles {
  return {
    'gemini-extension.json': manifest(name, {
      description: `About ${mark}.`,
      mcpServers: {
        tracker: {
          command: 'node',
          args: [`\${extensionPath}\${/}server.js`, `\${workspacePath}`],
          env: { HOME_OF: `\${extensionPath}` },
          trust: true,
          excludeTools: ['delete'],
        },
      },
      contextFileName: 'docs/CONTEXT.md',
      excludeTools: ['web_fetch', 'run_shell_command(rm -rf)'],
      settings: [{ name: 'Key', description: 'For the tracker', envVar: 'TRACKER_KEY', sensitive: true }],
    }),
    'docs/CONTEXT.md': `Context of ${mark}.\n\n@./more.md\n`,
    'docs/more.md': `More of ${mark}.\n`,
    'commands/tracker/close.toml': `description = "Closes an issue"\nprompt = "Close {{args}} as ${mark}"\n`,
    'skills/triage/SKILL.md': `---\nname: triage\ndescription: Triage of ${mark}.\n---\nLook into \${extensionPath}.\n`,
    'agents/reviewer.md': `---\nname: reviewer\ndescription: Reviews for ${mark}.\n---\nRead \${extensionPath}.\n`,
    'hooks/hooks.json': JSON.stringify({
      hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: `\${extensionPath}\${/}check.sh ${mark}` }] }] },
    }),
    'policies/rules.toml': [
      '[[rule]]\ntoolName = "write_file"\ndecision = "deny"\npriority = 500',
      '[[rule]]\ntoolName = "replace"\ndecision = "allow"\npriority = 500',
      '[[rule]]\ntoolName = "glob"\ndecision = "ask_user"\npriority = 500\nmodes = ["yolo"]',
    ].join('\n'),
  };
}
