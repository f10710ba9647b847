-- What the tests ask of Neovim's own language client. Each request and its answer are JSON in the same file.
local asked = {}
local client_id
local published = {}

vim.lsp.handlers['textDocument/publishDiagnostics'] = function(_, result)
  -- Those of a document that is open have a version. A document that was closed has none any more.
  if result.version then
    published[result.uri] = result.diagnostics
  end
end

function asked.start(given)
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.textDocument.completion.completionItem.snippetSupport = true
  client_id = vim.lsp.start_client({
    name = 'gantry',
    cmd = given.command,
    root_dir = given.root,
    workspace_folders = { { uri = vim.uri_from_fname(given.root), name = 'root' } },
    init_options = given.options,
    capabilities = capabilities,
  })
  vim.wait(20000, function()
    local client = vim.lsp.get_client_by_id(client_id)
    return client and client.initialized
  end, 5)
  return vim.lsp.get_client_by_id(client_id).server_capabilities
end

function asked.open(given)
  vim.cmd('edit! ' .. vim.fn.fnameescape(given.path))
  vim.lsp.buf_attach_client(0, client_id)
  return true
end

-- Types at a place, counted from 0, so that the client has to say what has changed.
function asked.insert(given)
  vim.api.nvim_buf_set_text(0, given.line, given.character, given.line, given.character, given.lines)
  return true
end

function asked.request(given)
  local answers, problem = vim.lsp.buf_request_sync(0, given.method, given.params, 10000)
  if not answers then
    error(problem)
  end
  return answers[client_id]
end

function asked.problems(given)
  vim.wait(10000, function()
    return published[given.uri] ~= nil
  end, 5)
  return published[given.uri]
end

function asked.close(given)
  vim.cmd('bdelete! ' .. vim.fn.bufnr(vim.uri_to_fname(given.uri)))
  published[given.uri] = nil
  return true
end

function asked.notify(given)
  vim.lsp.get_client_by_id(client_id).notify(given.method, given.params)
  return true
end

function Gantry(path)
  local given = vim.fn.json_decode(vim.fn.readfile(path))
  local ok, answer = pcall(asked[given.what], given)
  vim.fn.writefile({ vim.fn.json_encode(ok and { answer = answer } or { failed = tostring(answer) }) }, path)
  return 0
end
