// Where the page begins: the state is set in motion, then everything is drawn from it.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { ApiError, api, takeToken } from './api/client';
import { App } from './app';
import { listen } from './keys';
import { followExplore } from './state/explore';
import { followLive } from './state/live';
import { complain } from './state/messages';
import { mirror, page, route } from './state/navigation';
import { followPlay, match } from './state/play';
import { readRoute } from './state/route';
import { details, follow, goTo, line, newTable, table } from './state/session';
import { theme } from './state/settings';
import * as t from './state/tree';
import './style.css';

takeToken();

effect(() => {
  const root = document.documentElement;
  if (theme.value === 'auto') delete root.dataset.theme;
  else root.dataset.theme = theme.value;
});

/** An address that names a game opens it, unless it is the one on the table anyway. */
async function obey(): Promise<void> {
  const wanted = readRoute(window.location.hash);
  route.value = wanted;
  page.value = wanted.page;
  if (!wanted.line) return;
  const { game, start, moves } = wanted.line;
  const here = table.value;
  if (here.spec === game && here.start === start) {
    const known = t.find(here.tree, moves);
    if (known !== null) { goTo(known); return; }
  }
  try {
    // The server knows the proper spelling of the moves.
    const view = await api.view({ game, start, moves });
    const proper = view.moves.length === moves.length ? view.moves : moves;
    if (here.spec === game && here.start === start) {
      const known = t.find(here.tree, proper);
      if (known !== null) { goTo(known); return; }
    }
    const { tree, end } = t.fromMoves(proper);
    match.value = null;
    newTable(game, start, tree, end);
  } catch (error) {
    complain(error);
    // One bad move: the game up to it is better than none.
    const bad = error instanceof ApiError ? /^moves\[(\d+)\]$/.exec(error.where ?? '') : null;
    if (!bad) return;
    match.value = null;
    const { tree, end } = t.fromMoves(moves.slice(0, Number(bad[1])));
    newTable(game, start, tree, end);
  }
}

async function begin(): Promise<void> {
  const opened = obey();
  // The page is drawn at once; only what depends on the table waits for the address.
  const root = document.getElementById('app');
  if (root) { root.textContent = ''; render(<App />, root); }
  await opened;
  follow();
  followPlay();
  followLive();
  followExplore();
  listen();
  effect(() => {
    if (page.value === 'analyse' || page.value === 'explore') mirror({ page: page.value, line: line.value });
    else if (page.value === 'play') mirror({ page: 'play' });
  });
  effect(() => {
    document.title = page.value === 'learn' ? 'Runs – Zug' : details.value ? `${details.value.title} – Zug` : 'Zug';
  });
  window.addEventListener('hashchange', () => void obey());
  window.addEventListener('popstate', () => void obey());
}

void begin();
