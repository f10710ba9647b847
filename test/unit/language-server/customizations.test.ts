import { describe } from 'mocha';
import { goldenCases } from '../../support/language-server/golden-cases.ts';

describe('In a definition of an agent', () => {
  goldenCases('agents');
});

describe('In a skill', () => {
  goldenCases('skills');
});

describe('In a custom command', () => {
  goldenCases('commands');
});

describe('In a file with instructions', () => {
  goldenCases('memory');
});
