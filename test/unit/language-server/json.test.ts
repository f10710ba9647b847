import { describe } from 'mocha';
import { goldenCases } from '../../support/language-server/golden-cases.ts';

describe('In a JSON file that configures the agent', () => {
  goldenCases('json');
});
