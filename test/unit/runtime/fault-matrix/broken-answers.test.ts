import {
  blockedPrompt,
  cut,
  cutInFrame,
  htmlPage,
  malformedFrame,
  noCandidates,
  noContent,
  raw,
} from '../../../support/gemini/faults.ts';
import { gate } from '../../../support/gemini/gate.ts';
import { body, finish, hold, pause, thought } from '../../../support/gemini/script.ts';
import { BEFORE_FIRST_BYTE, BETWEEN_BYTES, describeFaults } from './matrix.ts';

/** As a future service may write it. */
function ended(finishReason: string): object {
  return { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason }] };
}

const STRANGE = {
  candidates: [
    {
      content: { role: 'ORACLE', parts: [{ hologram: { size: 3 } }, { text: 'Hello' }] },
      finishReason: 'STOP',
      safetyRatings: [{ category: 'HARM_CATEGORY_NEW', probability: 'UNHEARD_OF' }],
    },
  ],
};

const BROKE =
  /^The connection broke (?:in the middle of|before) the answer.* · (?:What arrived|Your message) is kept\./;
const EMPTY = /^The answer is empty · gemini-3\.8-flash ended without an answer\. Your message is kept\./;

describeFaults('An answer that is none', [
  {
    what: 'cut before an answer',
    replies: [cut()],
    says: /^\S+ cannot be reached · The connection was closed before an answer arrived\. Your message is kept/,
    main: 'failed unreachable | flash*10 | 5000 10000 20000 30000*6 | wait*9',
    subagent: 'failed unreachable | flash*10 | 5000 10000 20000 30000*6 | wait*9',
    utility: 'failed unreachable | flash*4 | 5000 10000 20000 | none',
    router: 'completed | lite | none | none',
  },
  {
    what: 'cut between events',
    replies: [['Hel', cut()]],
    says: BROKE,
    main: 'failed stream-cut | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed stream-cut | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    utility: 'failed stream-cut | flash*4 | 1000 2000 4000 | none',
  },
  {
    what: 'cut inside an event',
    replies: [['Hel', cutInFrame('lo')]],
    says: BROKE,
    main: 'failed stream-cut | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed stream-cut | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    utility: 'failed stream-cut | flash*4 | 1000 2000 4000 | none',
  },
  {
    what: 'an end without a finish reason',
    replies: [['Hel', finish('none')]],
    says: BROKE,
    main: 'failed stream-cut | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed stream-cut | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    utility: 'failed stream-cut | flash*4 | 1000 2000 4000 | none',
  },
  {
    what: 'a malformed frame',
    replies: [['Hel', malformedFrame()]],
    says: /^The answer could not be read · \S+ sent something that is not in the format of the Gemini API\. (?:What arrived|Your message) is kept/,
    main: 'failed bad-stream | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed bad-stream | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    router: 'completed | lite | none | none',
  },
  {
    what: 'half a document',
    replies: [['Hel', malformedFrame()]],
    says: BROKE,
    utility: 'failed stream-cut | flash*4 | 1000 2000 4000 | none',
  },
  {
    what: 'an event of another shape',
    replies: [raw('data: [1, 2]\n\n')],
    says: /^The answer could not be read · .*Your message is kept\./,
    main: 'failed bad-stream | flash*4 | 1000 2000 4000 | wait*3',
    subagent: 'failed bad-stream | flash*4 | 1000 2000 4000 | wait*3',
  },
  {
    what: 'no document',
    replies: [raw('data: [1, 2]\n\n')],
    says: BROKE,
    utility: 'failed stream-cut | flash*4 | 1000 2000 4000 | none',
  },
  {
    what: 'a web page',
    replies: [htmlPage()],
    says: /^The endpoint is not a Gemini API · \S+ answered with a web page \(status 200\) instead of a model's answer\. Your message is kept\. Check GOOGLE_GEMINI_BASE_URL/,
    main: 'failed not-gemini | flash | none | none',
    subagent: 'failed not-gemini | flash | none | none',
    utility: 'failed not-gemini | flash | none | none',
  },
  {
    what: 'an empty stream',
    replies: [finish('none')],
    says: EMPTY,
    main: 'failed empty-answer | flash*4 | 1000 2000 4000 | wait*3',
    subagent: 'failed empty-answer | flash*4 | 1000 2000 4000 | wait*3',
    utility: 'failed empty-answer | flash*4 | 1000 2000 4000 | none',
  },
  {
    what: 'no candidates',
    replies: [noCandidates()],
    says: EMPTY,
    main: 'failed empty-answer | flash*4 | 1000 2000 4000 | wait*3',
    subagent: 'failed empty-answer | flash*4 | 1000 2000 4000 | wait*3',
    utility: 'failed empty-answer | flash*4 | 1000 2000 4000 | none',
  },
  {
    what: 'no words',
    replies: [noContent()],
    says: EMPTY,
    main: 'failed empty-answer | flash*4 | 1000 2000 4000 | wait*3',
    subagent: 'failed empty-answer | flash*4 | 1000 2000 4000 | wait*3',
    utility: 'failed empty-answer | flash*4 | 1000 2000 4000 | none',
    router: 'completed | lite | none | none',
  },
  {
    what: 'thoughts only',
    replies: [[thought('Hm.'), noContent()]],
    says: EMPTY,
    main: 'failed empty-answer | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed empty-answer | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    utility: 'failed empty-answer | flash*4 | 1000 2000 4000 | none',
  },
  {
    what: 'MAX_TOKENS before a word',
    replies: [[noContent(), finish('MAX_TOKENS')]],
    says: /^The answer is empty · gemini-3\.8-flash ended without an answer \(MAX_TOKENS\)\. Your message is kept/,
    main: 'failed empty-answer | flash | none | none',
    subagent: 'failed empty-answer | flash | none | none',
    utility: 'failed empty-answer | flash | none | none',
  },
  {
    what: 'MAX_TOKENS after thoughts',
    replies: [[thought('Hm.'), finish('MAX_TOKENS')]],
    says: /^(?:note: The answer reached the model's length limit|A commit message is not complete · The model reached its length limit\. .*)$/,
    main: 'max_budget | flash | none | none',
    subagent: 'max_budget | flash | none | none',
    utility: 'failed bad-stream | flash | none | none',
  },
  {
    what: 'MAX_TOKENS after words',
    replies: [['Hel', finish('MAX_TOKENS')]],
    says: /^(?:answer: Hel\nnote: The answer reached the model's length limit|A commit message is not complete · The model reached its length limit\. The incomplete answer was discarded, and nothing was changed\. .*)$/,
    main: 'max_budget | flash | none | none',
    subagent: 'max_budget | flash | none | none',
    utility: 'failed bad-stream | flash | none | none',
    router: 'completed | lite | none | none',
  },
  {
    what: 'an unknown finish reason',
    replies: [body(ended('TIRED'))],
    says: /^gemini-3\.8-flash ended its answer early · It ended with TIRED\. (?:What arrived|Your message) is kept/,
    main: 'failed bad-stream | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed bad-stream | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    utility: 'failed bad-stream | flash*4 | 1000 2000 4000 | none',
  },
  {
    what: 'unknown parts and ratings',
    replies: [body(STRANGE)],
    says: /^(?:answer: )?Hello$/,
    main: 'completed | flash | none | none',
    subagent: 'completed | flash | none | none',
    utility: 'completed | flash | none | none',
  },
  {
    what: 'a call that could not be written',
    replies: [['I read', finish('MALFORMED_FUNCTION_CALL')]],
    says: /^gemini-3\.8-flash ended its answer early · It ended with MALFORMED_FUNCTION_CALL\. (?:What arrived|Your message) is kept/,
    main: 'failed bad-stream | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed bad-stream | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    utility: 'failed bad-stream | flash*4 | 1000 2000 4000 | none',
  },
  {
    what: 'a blocked message',
    replies: [blockedPrompt()],
    says: /^The message was blocked · .*\(SAFETY\)\. Your message is kept\. Rephrasing your message may help/,
    main: 'refusal refused-by-model | flash | none | none',
    subagent: 'refusal refused-by-model | flash | none | none',
    utility: 'failed refused-by-model | flash | none | none',
  },
  {
    what: 'a blocked answer',
    replies: [[noContent(), finish('SAFETY')]],
    says: /^The answer was blocked · .*\(SAFETY\)\. Your message is kept\. Rephrasing your message may help/,
    main: 'refusal refused-by-model | flash*4 | 1000 2000 4000 | wait*3',
    subagent: 'refusal refused-by-model | flash*4 | 1000 2000 4000 | wait*3',
    utility: 'failed refused-by-model | flash*4 | 1000 2000 4000 | none',
  },
  {
    what: 'an answer blocked after words',
    replies: [['Hel', finish('SAFETY')]],
    says: /^(?:answer: Hel\nnote: The answer was cut off: .*\(SAFETY\)\. The text before that is kept\. .*|A commit message is not complete · The service cut off the answer \(SAFETY\)\. .*)$/,
    main: 'refusal | flash | none | none',
    subagent: 'refusal | flash | none | none',
    utility: 'failed refused-by-model | flash | none | none',
  },
  {
    what: 'silence from the start',
    replies: [hold(gate())],
    says: /^\S+ cannot be reached · It did not answer in time\. Your message is kept\. Check GOOGLE_GEMINI_BASE_URL/,
    silentFor: BEFORE_FIRST_BYTE,
    main: 'failed unreachable | flash*10 | 5000 10000 20000 30000*6 | wait*9',
    subagent: 'failed unreachable | flash*10 | 5000 10000 20000 30000*6 | wait*9',
    utility: 'failed unreachable | flash | none | none',
  },
  {
    what: 'silence after words',
    replies: [['Hel', pause(gate())]],
    says: /^\S+ stopped responding in the middle of the answer · What arrived is kept\.\nanswer: Hel$/,
    silentFor: BETWEEN_BYTES,
    main: 'failed stream-cut | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed stream-cut | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
  },
]);
