import * as l10n from '@vscode/l10n';
import type { HookEvent } from '../../hooks/hook-types.ts';
import type { Descriptions } from './json-schema.ts';

/** What a hook can do at each event. */
export function eventTexts(): Readonly<Record<HookEvent, string>> {
  return {
    SessionStart: l10n.t('Runs with the first message. Can add context.'),
    BeforeAgent: l10n.t('Can add context to your message, keep the message from the model, or end the run.'),
    BeforeModel: l10n.t('Can change the request, answer instead of the model, or end the run.'),
    BeforeToolSelection: l10n.t('Can limit the tools that the model can call.'),
    AfterModel: l10n.t('Can change or withhold the answer.'),
    BeforeTool: l10n.t('Can change the arguments of a call, ask you, refuse the call, or end the run.'),
    AfterTool: l10n.t('Can add context, withhold the result, or call another tool.'),
    AfterAgent: l10n.t('Can make the agent continue, or clear the conversation.'),
    PreCompress: l10n.t('Runs when a conversation is about to be compacted.'),
    Notification: l10n.t('Runs when an approval is about to be requested.'),
    SessionEnd: l10n.t('Runs at the end of a session, and has at most four seconds.'),
  };
}

export function hookGroupTexts(): Descriptions {
  return {
    matcher: l10n.t(
      'For tools, a regular expression for any part of the name. For sessions, the reason why they begin or end. Without it, the hooks always run.',
    ),
    sequential: l10n.t(
      'Whether the hooks run one after the other, each with the changes of those before it. Otherwise, they run in parallel.',
    ),
    hooks: l10n.t('The commands to run.'),
    'hooks.[].type': l10n.t('Hooks are commands.'),
    'hooks.[].command': l10n.t('A command line for bash, or for PowerShell on Windows. It runs in the open folder.'),
    'hooks.[].name': l10n.t('The name of the hook, for "hooksConfig.disabled" and for people.'),
    'hooks.[].timeout': l10n.t(
      'Milliseconds; 60,000 by default. Then the hook is ended, with everything that it started.',
    ),
    'hooks.[].env': l10n.t('Environment variables of the hook.'),
    ...sandboxTexts('hooks.[].sandbox'),
  };
}

export function hookSwitchTexts(): Descriptions {
  return {
    enabled: l10n.t('Whether hooks run.'),
    disabled: l10n.t('Hooks that do not run: their names, or the commands of hooks without a name.'),
  };
}

function sandboxTexts(path: string): Descriptions {
  return {
    [path]: l10n.t('What a program of a folder needs in the sandbox, or false for no sandbox.'),
    [`${path}.network`]: l10n.t('The only hosts that the program may reach.'),
    [`${path}.folders`]: l10n.t('More folders that the program may write to.'),
  };
}

/** The keys of MCP servers that have the same names in settings and in agents. */
export function commonServerTexts(): Descriptions {
  return {
    type: l10n.t('How to reach the server. It is only needed for a URL with server-sent events.'),
    command: l10n.t('The program to start. It communicates over its standard input and output.'),
    args: l10n.t('The arguments of the program.'),
    env: l10n.t('Environment variables of the program. They may refer to yours, such as "$TOKEN".'),
    cwd: l10n.t('The folder in which the program runs. Without it, the open folder.'),
    url: l10n.t(
      'The URL of the server, over streamable HTTP or, if the server does not support it, server-sent events.',
    ),
    headers: l10n.t('Headers of each request. They may refer to environment variables, such as "$TOKEN".'),
    timeout: l10n.t('The timeout of a request in milliseconds; ten minutes by default.'),
    trust: l10n.t("Whether the server's tools run without asking. Only your own files can set it."),
    description: l10n.t('What the server is for.'),
  };
}

export function serverTexts(): Descriptions {
  return {
    ...commonServerTexts(),
    httpUrl: l10n.t('The URL of a server over streamable HTTP.'),
    disabled: l10n.t('Whether the server is not used.'),
    includeTools: l10n.t('The only tools of the server that are used, by their original names.'),
    excludeTools: l10n.t('Tools of the server that are not used, by their original names.'),
    ...sandboxTexts('sandbox'),
    oauth: l10n.t('A registered client, for a server that does not register clients.'),
    'oauth.clientId': l10n.t('The id of the client.'),
    'oauth.clientSecret': l10n.t('The secret of the client.'),
    'oauth.scopes': l10n.t('The permissions to ask for.'),
  };
}

export function serverListTexts(): Descriptions {
  return {
    allowed: l10n.t('The names of the only servers that may be used.'),
    excluded: l10n.t('The names of servers that may not be used.'),
  };
}

function generationTexts(path: string): Descriptions {
  return {
    [path]: l10n.t('Values for requests to the model. Missing ones keep their defaults.'),
    [`${path}.temperature`]: l10n.t('Randomness of answers, from 0 to 2.'),
    [`${path}.topP`]: l10n.t('The share of likely words to choose from, from 0 to 1.'),
    [`${path}.topK`]: l10n.t('The number of likely words to choose from.'),
    [`${path}.maxOutputTokens`]: l10n.t('The maximum length of an answer in tokens.'),
    [`${path}.seed`]: l10n.t('A number that makes answers more repeatable.'),
    [`${path}.stopSequences`]: l10n.t('Texts that end an answer.'),
    [`${path}.presencePenalty`]: l10n.t('How much the model avoids words that it has used.'),
    [`${path}.frequencyPenalty`]: l10n.t('How much the model avoids words that it has used often.'),
    [`${path}.thinkingConfig`]: l10n.t('How the model thinks.'),
    [`${path}.thinkingConfig.includeThoughts`]: l10n.t('Whether its thoughts are shown.'),
    [`${path}.thinkingConfig.thinkingBudget`]: l10n.t(
      'The maximum number of tokens for thinking; -1 lets the model decide.',
    ),
    [`${path}.thinkingConfig.thinkingLevel`]: l10n.t('How much the model thinks.'),
    [`${path}.safetySettings`]: l10n.t("What the service's filters block."),
    [`${path}.safetySettings.[].category`]: l10n.t('The kind of content.'),
    [`${path}.safetySettings.[].threshold`]: l10n.t('From which probability it is blocked.'),
  };
}

export function agentOverrideTexts(): Descriptions {
  return {
    enabled: l10n.t('Whether the agent can be used. If one file turns it off, no other file can turn it on.'),
    modelConfig: l10n.t("Replaces the agent's model and its values."),
    'modelConfig.model': l10n.t('A model or an alias; "inherit" is the model of the session.'),
    ...generationTexts('modelConfig.generateContentConfig'),
    runConfig: l10n.t("Replaces the agent's limits. A folder can only lower them."),
    'runConfig.maxTurns': l10n.t('The maximum number of turns.'),
    'runConfig.maxTimeMinutes': l10n.t('The maximum time in minutes.'),
    tools: l10n.t("Replaces the agent's tools. A folder can only restrict them."),
    mcpServers: l10n.t("Ignored: an agent's servers are read only from its definition."),
  };
}

export function modelConfigTexts(): Descriptions {
  const aliases = l10n.t('Names for a model with its values. They replace built-in aliases of the same name.');
  const overrides = l10n.t('Values for some requests. Later ones win.');
  const aliasTexts = (section: string): Descriptions => ({
    [section]: aliases,
    [`${section}.*.extends`]: l10n.t('The alias that has what is missing here.'),
    ...partTexts(`${section}.*.modelConfig`),
  });
  const overrideTexts = (section: string): Descriptions => ({
    [section]: overrides,
    [`${section}.[].match`]: l10n.t('The requests that the values are for. All conditions must be met.'),
    [`${section}.[].match.model`]: l10n.t('The model or alias of the request.'),
    [`${section}.[].match.overrideScope`]: l10n.t('The name of an agent; "core" is the main agent.'),
    [`${section}.[].match.isRetry`]: l10n.t('Whether the request is repeated after a failure.'),
    ...partTexts(`${section}.[].modelConfig`),
  });
  return {
    ...aliasTexts('aliases'),
    ...aliasTexts('customAliases'),
    ...overrideTexts('overrides'),
    ...overrideTexts('customOverrides'),
  };
}

function partTexts(path: string): Descriptions {
  return {
    [path]: l10n.t('The model and its values.'),
    [`${path}.model`]: l10n.t('The id of a model, or an alias.'),
    ...generationTexts(`${path}.generateContentConfig`),
  };
}

export function manifestTexts(): Descriptions {
  return {
    name: l10n.t('The name of the extension: letters, digits and dashes.'),
    version: l10n.t('The version of the extension.'),
    description: l10n.t('What the extension is for.'),
    migratedTo: l10n.t('The new source of the extension, if it was moved.'),
    mcpServers: l10n.t('MCP servers by name. They require approval before they start.'),
    contextFileName: l10n.t('Files with instructions, relative to the manifest; GEMINI.md by default.'),
    excludeTools: l10n.t(
      'Tools that are refused while the extension is enabled, such as "web_fetch" or "run_shell_command(rm -rf)".',
    ),
    settings: l10n.t('The values that the extension expects in environment variables.'),
    'settings.[].name': l10n.t('The name of the value, for people.'),
    'settings.[].description': l10n.t('What the value is for.'),
    'settings.[].envVar': l10n.t('The environment variable that has the value.'),
    'settings.[].sensitive': l10n.t('Whether the value is a secret.'),
  };
}

/** The sections of Gemini CLI's settings. */
export function sectionTexts(): Descriptions {
  return {
    general: l10n.t('Editor, approvals, plans and retries.'),
    output: l10n.t('The format of the output.'),
    ui: l10n.t('The terminal interface of Gemini CLI.'),
    ide: l10n.t('The connection of Gemini CLI to an editor.'),
    privacy: l10n.t('Data that Gemini CLI collects.'),
    billing: l10n.t('What requests are charged to.'),
    model: l10n.t('The model and its limits.'),
    modelConfigs: l10n.t('Aliases for models, and values for requests to them.'),
    agents: l10n.t('Settings for agents.'),
    context: l10n.t('Files with instructions, and the files that the agent sees.'),
    tools: l10n.t('The tools that the agent has, and those that need no approval.'),
    mcp: l10n.t('The MCP servers that may be used.'),
    security: l10n.t('Restrictions of modes, approvals and extensions.'),
    advanced: l10n.t("Gemini CLI's own process."),
    experimental: l10n.t('Experiments of Gemini CLI.'),
    extensions: l10n.t('Extensions of Gemini CLI.'),
    skills: l10n.t('Skills of the agent.'),
    hooksConfig: l10n.t('Whether hooks run, and which ones.'),
    hooks: l10n.t('Commands that run at certain points of a conversation, by event.'),
    contextManagement: l10n.t('How Gemini CLI shortens conversations.'),
    admin: l10n.t("An administrator's restrictions."),
    mcpServers: l10n.t('MCP servers by name. Those of a folder require approval before they start.'),
    'agents.overrides': l10n.t('Settings of single agents, by name.'),
  };
}
