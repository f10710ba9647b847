import { describe } from 'mocha';
import { goldenCases } from '../../support/language-server/golden-cases.ts';

describe('In a policy file', () => {
  goldenCases('policy');
});
