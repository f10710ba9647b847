import { readsThenAnswers } from '../support/gemini/conversation.ts';
import { startGeminiEndpoint } from '../support/gemini/server.ts';
import { ANSWER } from './endpoint-answer.ts';

/** The endpoint in a process of its own, so that its work is not counted as anybody's. */
const endpoint = await startGeminiEndpoint();
endpoint.always(readsThenAnswers({ filePath: 'a.txt', answer: ANSWER }));
process.send?.(endpoint.url);
process.on('disconnect', () => process.exit(0));
