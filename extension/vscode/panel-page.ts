/** The UI toolkit tries out an empty <style>; this is the hash of exactly that. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** Nothing but our own script, style and font: no remote content, no inline style, no forms. */
export function contentSecurityPolicy(source: string, nonce: string): string {
  return [
    `default-src 'none'`,
    `img-src ${source} data:`,
    `font-src ${source}`,
    `style-src ${source} ${EMPTY_STYLE}`,
    `script-src 'nonce-${nonce}'`,
    `form-action 'none'`,
    `base-uri 'none'`,
  ].join('; ');
}

export interface PanelPlace {
  /** What the policy calls the place that the panel's files come from. */
  readonly cspSource: string;
  readonly nonce: string;
  /** The address of a file of the panel. */
  asset(name: string): string;
}

/** The page of the panel, wherever it is shown. */
export function panelPage({ cspSource, nonce, asset }: PanelPlace): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(cspSource, nonce)}">
<link rel="stylesheet" href="${asset('main.css')}">
<title>Gantry</title>
</head>
<body>
<gantry-panel></gantry-panel>
<script type="module" nonce="${nonce}" src="${asset('main.js')}"></script>
</body>
</html>`;
}
