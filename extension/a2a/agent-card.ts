import type { AgentCard } from '@a2a-js/sdk';
import { CONVERSATION } from './call-facts.ts';

/** What clients learn about the agent before they talk to it. `url` is where it takes requests. */
export function agentCard(url: string, version: string, pushNotifications: boolean): AgentCard {
  const protocol = { url, protocolBinding: 'JSONRPC', tenant: '' };
  const conversation = {
    uri: CONVERSATION,
    description: 'A task stays open at the end of a turn and takes the next message, until it is canceled.',
    required: false,
    params: undefined,
  };
  return {
    name: 'Gantry',
    description: 'A coding agent that reads and edits the files of one folder and runs commands there.',
    supportedInterfaces: [
      { ...protocol, protocolVersion: '1.0' },
      { ...protocol, protocolVersion: '0.3' },
    ],
    provider: undefined,
    version,
    capabilities: { streaming: true, pushNotifications, extensions: [conversation], extendedAgentCard: false },
    securitySchemes: {
      bearer: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: { description: 'The token in the file that the server names.', scheme: 'Bearer', bearerFormat: '' },
        },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: ['text/plain', 'image/png', 'image/jpeg', 'application/pdf', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'code',
        name: 'Work on code',
        description:
          'Explains, reviews, writes and changes code, and runs commands. Asks before it does what needs approval.',
        tags: ['code', 'files', 'shell'],
        examples: ['What does src/app.ts do?', 'Fix the failing test.'],
        inputModes: [],
        outputModes: [],
        securityRequirements: [],
      },
    ],
    signatures: [],
  };
}
