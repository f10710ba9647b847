import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import type { DocumentKind } from './document-kind.ts';
import type { LanguageSupport } from './language.ts';
import { policyLanguage } from './policy/policy-language.ts';
import { LanguageServer } from './server.ts';

/** What the server knows about each kind of file. */
function languageOf(kind: DocumentKind): LanguageSupport | undefined {
  switch (kind.kind) {
    case 'policy':
      return policyLanguage(kind.tier);
    case 'agent':
    case 'skill':
    case 'command':
    case 'settings':
    case 'hooks':
    case 'servers':
    case 'extension':
    case 'memory':
      return undefined;
  }
}

// Only messages of the protocol go to stdout. What the server has to say is for the log of the client.
new LanguageServer(createConnection(ProposedFeatures.all, process.stdin, process.stdout), languageOf).listen();
