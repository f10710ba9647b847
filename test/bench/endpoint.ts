import { readsThenAnswers } from '../support/gemini/conversation.ts';
import { startGeminiEndpoint } from '../support/gemini/server.ts';

/** The endpoint in a process of its own, so that its work is not counted as anybody's. */
const words = Array.from({ length: 100 }, (_, index) => `word ${index} `);
const endpoint = await startGeminiEndpoint();
endpoint.always(readsThenAnswers({ filePath: 'a.txt', answer: words }));
process.send?.(endpoint.url);
process.on('disconnect', () => process.exit(0));
