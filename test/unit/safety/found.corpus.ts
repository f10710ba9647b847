import type { SecretKind } from '../../../extension/safety/secret-kinds.ts';

/** Put together here, so that no scanner of repositories takes the pieces for keys that work. */
const join = (...pieces: string[]): string => pieces.join('');

const PEM_BODY =
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n';

export const PRIVATE_KEY = `-----BEGIN ${'PRIVATE'} KEY-----\n${PEM_BODY}-----END ${'PRIVATE'} KEY-----`;

/** Secrets by themselves, each of which is found wherever it stands. */
export const SECRETS: readonly (readonly [kind: SecretKind, value: string])[] = [
  ['google-key', join('AIza', 'SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q')],
  ['github-token', join('ghp', '_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5')],
  ['github-token', join('gho', '_16C7e42F292c6912E7710c838347Ae178B4a')],
  ['github-token', join('github', '_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ012345678')],
  ['gitlab-token', join('glpat', '-aB3dE5fG7hI9jK1lM3nO')],
  ['aws-key', join('AKIA', 'IOSFODNN7EXAMPL3')],
  ['slack-token', join('xoxb', '-123456789012-1234567890123-aBcDeFgHiJkLmNoPqRsTuVwX')],
  ['stripe-key', join('sk', '_live_4eC39HqLyjWDarjtT1zdp7dc')],
  ['npm-token', join('npm', '_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5')],
  ['api-key', join('sk', '-proj-aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9')],
  ['api-key', join('sk', '-ant-api03-aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9-AA')],
  ['api-key', join('hf', '_aBcDeFgHiJkLmNoPqRsTuVwXyZ12345678')],
  ['api-key', join('dapi', '3f9d2b7c81e64a05b9d8c7e6f5a4b3c2')],
  ['api-key', join('lin', '_api_9g1mgt8yocrsnwv2ae1w7732uetysyv7xf4jp4hm')],
  ['api-key', join('glrt', '-9XerOvVkKo7IlkRTiRn2')],
  ['api-key', join('PMAK', '-b618d566a7f20874ec0672d9-095998b9288ef40d66cbeae8bce08b3359')],
  ['api-key', join('rubygems', '_bffb7f01e9346ab3e617d920cf7f7a5c6b45165c97d369ea')],
  ['api-key', join('sntryu', '_122ddd3d7ef798edc08014c3e02984960ee60deb58a42dfee99c1dffe67def6a')],
  ['api-key', join('pat', 'nWZYSH8OA6rawo.bfe324673e14b5f4eb84980451cdd4aa15cc9b086396394535dc987a10055db8')],
  ['api-key', join('whsg0ungjkmaxt.', 'atlasv1.n0e877cenxxn18difc9ki9eotvue2rRrnhuqanxin4sy70eruy20qXb8aiZ3ix')],
  ['api-key', join('617716118', ':AAra211f3myqrc0jXmz912o2wlgc5v8i585')],
  [
    'jwt',
    join(
      'eyJ',
      'hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    ),
  ],
  ['private-key', PRIVATE_KEY],
  ['random-text', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzKEY9a2Q'],
];

/** Lines in which the surroundings say that it is one, with the secret in it. */
export const LINES: readonly (readonly [kind: SecretKind, line: string, secret: string])[] = [
  ['password', 'DB_PASSWORD=letmein2024', 'letmein2024'],
  ['password', 'export PGPASSWORD=Summer2024', 'Summer2024'],
  ['password', 'password: "Tr0ub4dor&3"', 'Tr0ub4dor&3'],
  ['password', "  'password' => 'h7Kq!2mZx',", 'h7Kq!2mZx'],
  ['password', 'db.password = h7Kq2mZx9pLw4RtY', 'h7Kq2mZx9pLw4RtY'],
  ['password', '{"password":"h7Kq!2mZx9"}', 'h7Kq!2mZx9'],
  ['password', '{\\"password\\":\\"h7Kq!2mZx9\\"}', 'h7Kq!2mZx9'],
  ['secret', 'const apiKey: string = "9f8e7d6c5b4a39281706f5e4d3c2b1a0";', '9f8e7d6c5b4a39281706f5e4d3c2b1a0'],
  ['secret', 'client_secret: 8xLOxBtZp8q3vT2nR6wK', '8xLOxBtZp8q3vT2nR6wK'],
  [
    'secret',
    'aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYzzzKEY9a2Q11',
    'wJalrXUtnFEMIK7MDENGbPxRfiCYzzzKEY9a2Q11',
  ],
  ['secret', 'HEROKU_API_KEY=15635811-acd1-4e8d-858d-4f410d7a60b5', '15635811-acd1-4e8d-858d-4f410d7a60b5'],
  ['secret', '"apiKey": "62b60b73-3dae-4619-87d8-8876e068635c"', '62b60b73-3dae-4619-87d8-8876e068635c'],
  ['password', 'postgres://app:s3cr3tP4ss@db.internal:5432/app', 's3cr3tP4ss'],
  ['secret', 'Authorization: Bearer f3a9c1d7e5b2480c9d6e', 'f3a9c1d7e5b2480c9d6e'],
];
