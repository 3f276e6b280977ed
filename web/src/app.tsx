// The frame of the page: the tabs, the messages, and whichever page is open.
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { online } from './api/client';
import { helpOpen, KEYS } from './keys';
import { AnalysePanel } from './pages/analyse';
import { ExplorePanel } from './pages/explore';
import { LearnPage } from './pages/learn';
import { PlayPanel } from './pages/play';
import { BoardArea } from './panels/boardarea';
import { FileDialogs, dialog } from './panels/files';
import { dismiss, messages, spoken } from './state/messages';
import { open, page } from './state/navigation';
import { problem, readFile, readText } from './state/records';
import { PAGES } from './state/route';
import { capital, version } from './state/session';
import { coordinates, hints, numbered, sound, theme } from './state/settings';
import { Button, Dialog, Switch } from './ui/controls';

export function App() {
  return (
    <>
      <Head />
      {!online.value && <p class="offline" role="status">The server does not answer. This page comes back by itself when it does.</p>}
      <main class={`page-${page.value}`}><Guard><Page /></Guard></main>
      <Toasts />
      <FileDialogs />
      {helpOpen.value && <Help />}
      <DropTarget />
      <div class="unseen" aria-live="polite">{spoken.value}</div>
    </>
  );
}

function Page() {
  if (page.value === 'learn') return <LearnPage />;
  return (
    <div class="workspace">
      <h1 class="unseen">{capital(page.value)}</h1>
      <BoardArea />
      <div class="side">
        {page.value === 'play' && <PlayPanel />}
        {page.value === 'analyse' && <AnalysePanel />}
        {page.value === 'explore' && <ExplorePanel />}
      </div>
    </div>
  );
}

/** A fault in a panel must not leave a blank page. */
function Guard({ children }: { children: preact.ComponentChildren }) {
  const [error, reset] = useErrorBoundary();
  if (!error) return <>{children}</>;
  return (
    <div class="card fault" role="alert">
      <p>Something went wrong on this page: {error instanceof Error ? error.message : String(error)}</p>
      <div class="row">
        <Button kind="main" label="Try again" onClick={reset} />
        <Button label="Forget the game and reload" onClick={() => { for (const storage of [sessionStorage, localStorage]) { storage.removeItem('zug.table'); storage.removeItem('zug.match'); } window.location.hash = ''; window.location.reload(); }} />
      </div>
    </div>
  );
}

const THEMES = { auto: 'light', light: 'dark', dark: 'auto' } as const;
const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const;

function Head() {
  return (
    <header class="head">
      <span class="brand"><Mark /><span>Zug</span></span>
      <nav aria-label="Pages">
        {PAGES.map((name) => (
          <a key={name} href={`#/${name}`} aria-current={page.value === name ? 'page' : undefined}
            onClick={(e) => { e.preventDefault(); open(name); }}>{capital(name)}</a>
        ))}
      </nav>
      <span class="grow" />
      <Button bare icon={sound.value ? 'sound' : 'mute'} label="Sound" pressed={sound.value} onClick={() => { sound.value = !sound.value; }} />
      <Button bare icon={THEME_ICONS[theme.value]} label={`Colours: ${theme.value}`} onClick={() => { theme.value = THEMES[theme.value]; }} />
      <Button bare icon="help" label="Help" hotkey="?" onClick={() => { helpOpen.value = true; }} />
    </header>
  );
}

function Mark() {
  return <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" /><circle class="a" cx="11.5" cy="12" r="6" /><circle class="b" cx="20.5" cy="20" r="6" /></svg>;
}

function Toasts() {
  return (
    <div class="toasts" role="region" aria-label="Messages" aria-live="assertive">
      {messages.value.map((m) => (
        <div key={m.id} class={`toast ${m.kind}`}>
          <span>{m.text}</span>
          {m.action && <button type="button" class="link toast-action" onClick={() => { m.action?.run(); dismiss(m.id); }}>{m.action.label}</button>}
          <Button bare icon="close" label="Dismiss" onClick={() => dismiss(m.id)} />
        </div>
      ))}
    </div>
  );
}

function Help() {
  return (
    <Dialog title="Keys and settings" onClose={() => { helpOpen.value = false; }}>
      <dl class="keys">
        {KEYS.map((k) => <div key={k.does}><dt>{k.keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt><dd>{k.does}</dd></div>)}
      </dl>
      <div class="row wrap">
        <Switch label="Coordinates" on={coordinates.value} onChange={(on) => { coordinates.value = on; }} />
        <Switch label="Show possible moves" on={hints.value} onChange={(on) => { hints.value = on; }} />
        <Switch label="Numbers on stones" on={numbered.value} onChange={(on) => { numbered.value = on; }} />
        <Switch label="Sound" on={sound.value} onChange={(on) => { sound.value = on; }} />
      </div>
      <p class="quiet">Values on the board: discs in Othello, pawns in chess, chances in Go. Proven: W5 is won and L5 lost in five plies, = is a draw, #3 is mate in three moves.</p>
      <p class="quiet">Zug {version.value}. Drop a file with a game anywhere to open it, or paste one. The interface for programs is described at <a href="api/v1/openapi.json">api/v1/openapi.json</a>.</p>
    </Dialog>
  );
}

/** A file can be dropped and a game pasted anywhere; what is wrong with it is said where it can be tried again. */
function DropTarget() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const files = (e: DragEvent): boolean => !!e.dataTransfer?.types.includes('Files');
    const drag = (e: DragEvent): void => { if (files(e)) { e.preventDefault(); setOver(true); } };
    const leave = (e: DragEvent): void => { if (!e.relatedTarget) setOver(false); };
    const drop = (e: DragEvent): void => {
      setOver(false);
      const file = e.dataTransfer?.files[0];
      if (!file) return;
      e.preventDefault();
      void readFile(file).then((fine) => {
        if (fine) { dialog.value = null; open('analyse'); } else if (problem.value) dialog.value = 'load';
      });
    };
    const paste = (e: ClipboardEvent): void => {
      const text = e.clipboardData?.getData('text') ?? '';
      if ((e.target as Element).closest('input, textarea') || !text.trim() || page.value === 'learn' || dialog.value) return;
      e.preventDefault();
      void readText(text).then((fine) => {
        if (fine) open('analyse'); else if (problem.value) dialog.value = 'load';
      });
    };
    window.addEventListener('paste', paste);
    window.addEventListener('dragover', drag);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('paste', paste);
      window.removeEventListener('dragover', drag);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, []);
  return over ? <div class="drop" aria-hidden="true">Drop the game here</div> : null;
}
