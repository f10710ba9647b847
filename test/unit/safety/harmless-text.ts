/** Text as it stands in conversations about code: nothing in it is a secret. */
export const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  'temporary folders': [
    'The workspace is /tmp/gantry-temp-8zG7oY/gantry-workspace-Qa1Zx9 and nothing else.',
    '/tmp/x-8zG7oY/y-Qa1Zx9/Bb2Kk7Pq3',
    'file:///tmp/a-8zG7oY/b-Qa1Zx9/c-7Hj2Ks\n/home/me/T4mpA1/b2C3dE4/f5G6hI7j',
  ],
  'type annotations': [
    'function login(user: string, password: string): Promise<Token>',
    'interface Options { token: string; apiKey?: string | undefined; secret: Buffer }',
    'token: AccessToken,\n  password: string|null',
    'def login(password: str, token: Optional[str] = None):',
    'fn auth(token: &str, secret: Vec<u8>) -> Result<Token>',
    'type Query { token: String! password: ID }',
  ],
  'code that handles secrets': [
    'const token = await getToken();',
    'this.token = options.token;',
    'token: this.#token,',
    'const apiKey = process.env.API_KEY ?? settings.apiKey;',
    "if (token === 'eof') return;",
    'tokens.map((token) => token.text)',
    'password = hash(input.password)',
    'connect(password=pw, token=token2)',
    '<Field password={password} token={user.token} />',
    "{ token: 'comment', foreground: '6A9955' }",
    "{ token: 'keyword.control', next: 'root' }",
    'MAX_TOKENS=4096 maxToken: 8192 token_count=12 passwordLength = 12',
    'case Token.Equal: return secretName === name;',
    'password: z.string().min(8), secret: Joi.string()',
    '<input type="password" name=\'token\'>',
    "password: 'password', token: 'string'",
    'error: { password: "Enter your password" }',
  ],
  'references and placeholders': [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a shell script.
    'TOKEN=$TOKEN PASSWORD=${DB_PASSWORD:-} API_KEY=$(cat key)',
    'apiKey: <your key>, token: {{ token }}, PASSWORD=%PASS%',
    'api_key = "YOUR_API_KEY"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a shell script.
    'Authorization: Bearer ${token}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a shell script.
    'https://user:${PASSWORD}@example.com',
    'password: ********',
  ],
  prose: [
    'The password is stored hashed. Your password: required. Reset the token when it expires.',
    'Tokens: 1,200 in, 300 out. The secret to good tests: small ones.',
    'Use a bearer token. The bearer authenticationmiddlewareimplementation is old.',
    'Token: see https://example.com/docs for how to get one.',
    'password: https://example.com/reset2',
    '| token | password | secret |',
  ],
  'ids and hashes': [
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
    '550e8400-e29b-41d4-a716-446655440000',
    'sha512-Kq0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0uA==',
    `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'.repeat(8)}`,
    '-----BEGIN PUBLIC KEY-----\nMIIBIjAN\n-----END PUBLIC KEY-----',
    'PWD=/home/me/project OLDPWD=/home/me',
    'class="sk-loading-spinner-container-large sk-circle-fade-dot-animation"',
  ],
  addresses: [
    'https://example.com:8080/path?mail=me@example.com',
    'git@github.com:owner/name.git ssh://git@host:22/x',
    'http://localhost:3000/@vite/client',
    'https://example.com:80?to=a@b.c',
  ],
};
