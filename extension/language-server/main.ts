import { join } from 'node:path';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { agentLanguage } from './agents/agent-language.ts';
import { commandLanguage } from './commands/command-language.ts';
import type { DocumentKind } from './document-kind.ts';
import { jsonLanguage } from './json/json-language.ts';
import type { LanguageSupport } from './language.ts';
import { memoryLanguage } from './memory/memory-language.ts';
import { policyLanguage } from './policy/policy-language.ts';
import { problemsOfSaved } from './policy/policy-problems.ts';
import { LanguageServer } from './server.ts';
import { skillLanguage } from './skills/skill-language.ts';

/** What the server knows about each kind of file. */
function languageOf(kind: DocumentKind): LanguageSupport | undefined {
  switch (kind.kind) {
    case 'policy':
      return policyLanguage(kind.tier);
    case 'agent':
      return agentLanguage;
    case 'skill':
      return skillLanguage;
    case 'command':
      return commandLanguage;
    case 'memory':
      return memoryLanguage;
    case 'settings':
    case 'servers':
    case 'extension':
    case 'hooks':
      return jsonLanguage(kind);
  }
}

// Only messages of the protocol go to stdout. What the server has to say is for the log of the client.
const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
new LanguageServer(connection, languageOf, problemsOfSaved, join(__dirname, 'assets', 'policies')).listen();
