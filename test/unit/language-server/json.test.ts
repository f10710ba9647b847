import { describe } from 'mocha';
import { goldenCases } from '../../support/language-server/golden-cases.ts';

describe('In a JSON file that configures the agent', () => {
  goldenCases('json', { variables: ['HOME', 'GEMINI_API_KEY'], path: process.env['PATH'] });
});
