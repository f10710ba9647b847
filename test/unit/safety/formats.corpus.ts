import { SECRETS } from './found.corpus.ts';

/** A text with a secret in it that has to be found. */
export interface Format {
  readonly what: string;
  readonly text: string;
  readonly secret: string;
}

/** Names as they are written, with a value as such names have it. */
const NAMES: readonly (readonly [upper: string, camel: string, value: string])[] = [
  ['DB_PASS', 'dbPass', 'Blue!Horse42'],
  ['DB_PASSWORD', 'dbPassword', 'Tr0ub4dor-3'],
  ['REDIS_PASSWD', 'redisPasswd', 'kiwi-9-Lemon'],
  ['SECRET_KEY_BASE', 'secretKeyBase', '3f9d2b7c81e64a05b9d8c7e6f5a4b3c2d1e0f9a8'],
  ['API_KEY', 'apiKey', 'h7Kq2mZx9pLw4RtYb3Nc'],
  ['AUTH_TOKEN', 'authToken', '8xLOxBtZp8q3vT2nR6wK'],
  ['CLIENT_SECRET', 'clientSecret', 'q9Zt-4hWm2Xc7Vb1Ns8'],
  ['MASTER_KEY', 'masterKey', 'c0ffee1234abcd5678ef90aa'],
  ['SIGNING_KEY', 'signingKey', 'Zx81kQp0LmN47vTyBc'],
  ['STORAGE_ACCOUNT_KEY', 'storageAccountKey', 'mF4kD9sL2pQ7wX1zR6tY3uI8'],
];

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const kebab = (upper: string): string => upper.toLowerCase().replaceAll('_', '-');

/** How files, commands and code write such a pair. */
const CONTEXTS: Readonly<Record<string, (upper: string, camel: string, value: string) => string>> = {
  env: (name, _, value) => `PORT=80\n${name}=${value}\nDEBUG=1\n`,
  'quoted env': (name, _, value) => `${name}="${value}"\n`,
  export: (name, _, value) => `export ${name}=${value}\n`,
  Dockerfile: (name, _, value) => `FROM node\nENV ${name}=${value}\nRUN npm ci\n`,
  'docker -e': (name, _, value) => `docker run -e ${name}=${value} app\n`,
  'compose list': (name, _, value) => `environment:\n  - ${name}=${value}\n`,
  JSON: (_, name, value) => `{\n  "${name}": "${value}",\n  "port": 80\n}\n`,
  'JSON in JSON': (_, name, value) => `{"body":"${escaped(JSON.stringify({ [name]: value }))}"}`,
  'JSON pair': (name, _, value) => JSON.stringify([{ name, value }]),
  'JSON pair in lines': (name, _, value) => JSON.stringify({ env: [{ name, value }] }, undefined, 2),
  YAML: (_, name, value) => `app:\n  ${name}: ${value}\n  port: 80\n`,
  'quoted YAML': (_, name, value) => `app:\n  ${name}: '${value}'\n`,
  'YAML pair': (name, _, value) => `env:\n  - name: ${name}\n    value: ${value}\n`,
  'quoted YAML pair': (name, _, value) => `env:\n  - name: ${name}\n    value: "${value}"\n`,
  TOML: (name, _, value) => `[app]\n${name.toLowerCase()} = "${value}"\n`,
  INI: (name, _, value) => `[app]\n${name.toLowerCase()} = ${value}\n`,
  properties: (name, _, value) => `app.${name.toLowerCase().replaceAll('_', '.')}=${value}\n`,
  'XML element': (_, name, value) => `<app>\n  <${name}>${value}</${name}>\n</app>`,
  'XML attributes': (_, name, value) => `<appSettings><add key="${name}" value="${value}" /></appSettings>`,
  'XML entry': (name, _, value) => `<map>\n  <entry key="${name}">${value}</entry>\n</map>`,
  option: (name, _, value) => `$ app --verbose --${kebab(name)} ${value} start\n`,
  'option with a sign': (name, _, value) => `$ app --${kebab(name)}=${value} start\n`,
  TypeScript: (_, name, value) => `const ${name} = '${value}';\n`,
  Python: (name, _, value) => `${name.toLowerCase()} = "${value}"\n`,
  'Python call': (name, _, value) => `connect(host="db", ${name.toLowerCase()}="${value}")\n`,
  PHP: (name, _, value) => `define('${name}', '${value}');\n`,
  HCL: (name, _, value) => `variable "${name.toLowerCase()}" {\n  default = "${value}"\n}\n`,
  PowerShell: (name, _, value) => `$env:${name} = "${value}"\n`,
  'address parameter': (name, _, value) => `GET https://api.test/v1?${name.toLowerCase()}=${value}&page=2\n`,
};

/** Tokens that are known by their form, as they stand in other texts. */
const TOKEN_CONTEXTS: Readonly<Record<string, (token: string) => string>> = {
  'in an address': (token) => `https://api.test/hook?t=${encodeURIComponent(token)}&x=1`,
  'with escapes of addresses': (token) =>
    `next=${encodeURIComponent(`a=${token}`).replaceAll('_', '%5F').replaceAll('-', '%2D')}`,
  'with escapes of JSON': (token) =>
    `{"t":"${token.replace(/[_.-]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)}"}`,
  'in XML': (token) => `<t>${token}</t>`,
};

/** By themselves. */
const OTHERS: readonly Format[] = [
  { what: '.netrc in a line', text: 'machine api.test login me password hunter2x\n', secret: 'hunter2x' },
  { what: '.netrc in lines', text: 'machine api.test\n  login me\n  password hunter2x\n', secret: 'hunter2x' },
  { what: 'curl -u', text: "curl -s -u admin:Blue42Horse 'https://api.test'\n", secret: 'Blue42Horse' },
  { what: 'mysql -p', text: 'mysql -h db -u root -pBlue42Horse app\n', secret: 'Blue42Horse' },
  { what: 'sshpass', text: 'sshpass -p Blue42Horse ssh me@host\n', secret: 'Blue42Horse' },
  { what: 'connection string', text: 'Server=db;User Id=sa;Password=Blue!42;Encrypt=yes;\n', secret: 'Blue!42' },
  { what: 'address', text: 'amqp://guest:Blue42Horse@mq.test:5672/\n', secret: 'Blue42Horse' },
  { what: 'escaped address', text: 'url=postgres%3A%2F%2Fapp%3AS3cr3tP4ss%40db.test%2Fapp\n', secret: 'S3cr3tP4ss' },
  { what: 'header', text: 'X-Api-Key: h7Kq2mZx9pLw4RtYb3Nc\n', secret: 'h7Kq2mZx9pLw4RtYb3Nc' },
  { what: '.npmrc', text: '//npm.test/:_authToken=8xLOxBtZp8q3vT2nR6wK\n', secret: '8xLOxBtZp8q3vT2nR6wK' },
];

function longestRun(token: string): string {
  return token.split(/[^A-Za-z0-9]/).reduce((longest, run) => (run.length > longest.length ? run : longest));
}

const forms = SECRETS.filter(([kind]) => kind !== 'private-key' && kind !== 'random-text');

export const FORMATS: readonly Format[] = [
  ...NAMES.flatMap(([upper, camel, value]) =>
    Object.entries(CONTEXTS).map(([what, write]) => ({
      what: `${what}: ${upper}`,
      text: write(upper, camel, value),
      secret: value,
    })),
  ),
  ...forms.flatMap(([kind, token]) =>
    Object.entries(TOKEN_CONTEXTS).map(([what, write]) => ({
      what: `${kind} ${what}`,
      text: write(token),
      secret: longestRun(token),
    })),
  ),
  ...OTHERS,
];
