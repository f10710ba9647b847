import './styles/main.css';
import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';
import { config } from 'zod/mini';
import { PAGE_TEXTS } from '../extension/protocol/panel/page-data.ts';
import { useTexts } from '../extension/protocol/panel/use-texts.ts';
import { guardView } from './frame/view-failure.ts';
import { Panel } from './panel.ts';
import { connectToHost } from './state/host.ts';

// Zod would try `new Function`, which the page's content security policy forbids and reports.
config({ jitless: true });
// The host puts the translation into the page; it has to be known before the first text is drawn.
useTexts(document.getElementById(PAGE_TEXTS)?.textContent);
// The toolkit is no longer maintained upstream. It is imported here and nowhere else, so that it is easy to replace.
provideVSCodeDesignSystem().register(vsCodeButton());

const host = connectToHost();

function start(): void {
  const panel = new Panel();
  document.querySelector('gantry-panel')?.replaceWith(panel);
  panel.connect(host);
}

guardView(host, start);
start();
