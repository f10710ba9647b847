export const HELP = `Gantry: a coding agent on the command line.

Usage: gantry -p "What does src/app.ts do?"
       gantry "Explain @src/app.ts"
       git diff | gantry -p "Review this change"
       gantry --resume latest -p "And the tests?"
       gantry acp --trust
       gantry serve --trust

  -p, --prompt TEXT    the prompt. Words without a flag are the prompt too. Piped input (text, an image or a PDF)
                       goes with it as data. Without a prompt, piped text is the prompt
                       @path and @server:uri attach a file, a folder or a resource of an MCP server
                       "/name …" runs a custom command, a prompt of an MCP server, /init or /compress, in a trusted folder
  --workspace DIR      the folder to work in (default: the current directory)
  -o, --output FORMAT  text: the answer as it arrives (default)
                       json: one object at the end
                       stream-json: every event as it happens, one JSON object per line
                       --output-format is the same flag
  -m, --model NAME     a model ID, or auto (default: auto). A model that you name isn't replaced by another
                       guide: the offline guide answers, without a model
  --fallback           use another model when the named one has no quota or capacity left
  --max-turns N        stop after N turns, -1 for no limit (default: -1)
  --approval-mode MODE default: calls that require approval are refused (default)
                       autoEdit: files can be changed and pages fetched; plan: nothing can be changed; yolo: almost everything runs
                       auto_edit is the same as autoEdit
  -y, --yolo           the same as --approval-mode yolo
  --policy PATH        a policy file, or a folder of them, in Gemini CLI's TOML format. Can be repeated
  --sandbox MODE       auto: commands are confined where the machine supports it (default)
                       required: without a sandbox, Gantry ends with 52; off: commands aren't confined
  --sandbox-network HOST
                       a host that confined commands may reach, such as registry.npmjs.org, *.example.com or
                       example.com:8443. Can be repeated
  --otlp URL           send spans and metrics, without any content, to an OpenTelemetry receiver, such as
                       http://localhost:4318
  --trust              trust the folder. Without it, Gantry only reads
  -r, --resume ID      continue a session of this folder: its ID, or latest. Without a prompt, it continues where it stopped
  --replay FILE        take the model's answers from FILE, in order, instead of asking a model. One JSON object per
                       line, in the format of Gemini CLI's fake responses: {"method":"generateContentStream","response":[…]}
  --record FILE        append the model's answers to FILE, for --replay
  --list-sessions      list the sessions of this folder, newest first. With --output json, as an array
  acp                  as the first word: be the agent of another editor, over the Agent Client Protocol on stdin and
                       stdout. Takes --trust, --model, --fallback, --max-turns, --approval-mode, --yolo, --policy,
                       --sandbox, --sandbox-network and --otlp
  serve                as the first word: serve the sessions of the folder to programs of this machine, over A2A. Prints
                       the address and the file with its token. Takes --workspace, the flags of acp, and these:
                       --port N: 0 for any that is free (default: 41242)
                       --idle-exit MIN: end after so many minutes without work (default: never)
                       --no-approve: clients can't allow calls. Questions wait for people
                       --push URL: clients can have the states of tasks sent to this URL and what is below it
                       (default: none are sent)
                       --detach: serve in the background, and again after a crash. A server of the same folder and
                       version at the port is used as it is
                       --status, --stop: show or stop the server at the port
  -h, --help           show this text
  -v, --version        show the version

Environment:
  GEMINI_API_KEY or GOOGLE_API_KEY    the API key. Without any of these, Gantry ends with 41
  GOOGLE_GEMINI_BASE_URL              another Gemini-compatible endpoint
  GOOGLE_GENAI_USE_VERTEXAI=true      Vertex AI: GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION with application
                                      default credentials, or GOOGLE_API_KEY alone as an express key
  GANTRY_HOME                         the folder for sessions, the audit log, and approvals of rules and hooks
                                      (default: .gantry in the home directory; a relative path starts there too)
  OTEL_EXPORTER_OTLP_HEADERS          headers for --otlp, such as "api-key=…". Without the flag, it has no effect
  GANTRY_FALLBACK=1                   the same as --fallback
  GANTRY_LOG=debug                    write the log to stderr

Exit codes: 0 done, 1 failed, 41 authentication, 42 bad input, 52 bad configuration, 53 turn limit, 130 interrupted.
`;
