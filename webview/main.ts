import './styles/main.css';
import { config } from 'zod/mini';
import { speakLanguageOfPage } from './language.ts';
import { Panel } from './panel.ts';
import { connectToHost } from './state/host.ts';
import { registerToolkit } from './toolkit.ts';
import { guardView } from './view-failure.ts';

// Zod would try `new Function`, which the page's content security policy forbids and reports.
config({ jitless: true });
speakLanguageOfPage();
registerToolkit();

const host = connectToHost();

function start(): void {
  const panel = new Panel();
  document.querySelector('gantry-panel')?.replaceWith(panel);
  panel.connect(host);
}

guardView(host, start);
start();
