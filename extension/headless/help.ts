export const HELP = `Gantry: a coding agent on the command line.

Usage: gantry -p "What does src/app.ts do?"
       gantry "Explain @src/app.ts"
       git diff | gantry -p "Review this change"
       gantry --resume latest -p "And the tests?"

  -p, --prompt TEXT    what to ask; words that belong to no flag are the same. What is piped in goes with it as data:
                       text, an image or a PDF. Without a prompt, piped text is the prompt
                       @path and @server:uri bring a file, a folder or a resource of an MCP server along
                       "/name …" is a custom command, a prompt of an MCP server, /init or /compress, in a trusted folder
  --workspace DIR      the folder to work in (default: the current directory)
  -o, --output FORMAT  text: the answer as it comes (default)
                       json: one object at the end
                       stream-json: every event as it happens, one JSON object per line
                       --output-format is the same flag
  -m, --model NAME     a model id, or auto (default: auto). Where an id is named, no other model takes over
                       guide: no model, the offline guide answers
  --fallback           let another model take over when the one that is named has no quota or capacity left
  --max-turns N        stop after N turns, -1 for no limit (default: -1)
  --approval-mode MODE default: what requires approval is refused (default)
                       autoEdit: files may be changed and pages fetched; plan: nothing may; yolo: everything may run
                       auto_edit is the same as autoEdit
  -y, --yolo           the same as --approval-mode yolo
  --policy PATH        a policy file, or a folder of them, in Gemini CLI's TOML. May be given several times
  --sandbox MODE       auto: commands are confined where the machine can do that (default)
                       required: it has to, or Gantry ends with 52; off: they are not
  --sandbox-network HOST
                       a host that confined commands may reach, such as registry.npmjs.org, *.example.com or
                       example.com:8443. May be given several times
  --trust              trust the folder; without it Gantry only reads there
  -r, --resume ID      continue a session of this folder: its id, or latest. Without a prompt, where it stopped
  --replay FILE        take the model's answers from FILE, in its order, instead of asking a model. One JSON object per
                       line, as Gemini CLI's fake responses: {"method":"generateContentStream","response":[…]}
  --record FILE        add the model's answers to FILE, to be replayed
  --list-sessions      list the sessions of this folder, newest first. With --output json, as an array
  -h, --help           show this text
  -v, --version        show the version

Environment:
  GEMINI_API_KEY or GOOGLE_API_KEY    the key. Without any of these Gantry ends with 41
  GOOGLE_GEMINI_BASE_URL              another Gemini-compatible endpoint
  GOOGLE_GENAI_USE_VERTEXAI=true      Vertex AI: GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION with application
                                      default credentials, or GOOGLE_API_KEY alone as an express key
  GANTRY_HOME                         the folder for sessions, the audit log, and which rules and hooks were accepted
                                      (default: .gantry in the home directory; a relative path starts there too)
  GANTRY_FALLBACK=1                   as --fallback
  GANTRY_LOG=debug                    write the log to stderr

Exit codes: 0 done, 1 failed, 41 authentication, 42 bad input, 52 bad configuration, 53 turn limit, 130 interrupted.
`;
