// The keyboard, for the whole page; the board has its own keys while it has the focus.
import { signal } from '@preact/signals';
import { dialog } from './panels/files';
import { draft, endSetup } from './panels/setup';
import { toggleLive } from './panels/boardarea';
import { newGame } from './pages/play';
import { page } from './state/navigation';
import { match, takeBack } from './state/play';
import { hint } from './state/preview';
import { choice } from './state/records';
import { bringBack, step, toEnd, toStart } from './state/session';
import { flipped, numbered } from './state/settings';

export const helpOpen = signal(false);

export const KEYS: { keys: string[]; does: string; run(): void; on: string[] }[] = [
  { keys: ['←', '→'], does: 'one move back or forward', run: () => undefined, on: [] },
  { keys: ['↑', '↓', 'Home', 'End'], does: 'to the start, to the end', run: () => undefined, on: [] },
  { keys: ['f'], does: 'flip the board', run: () => { flipped.value = !flipped.value; }, on: ['f'] },
  { keys: ['m'], does: 'numbers on the stones of Go and Othello', run: () => { numbered.value = !numbered.value; }, on: ['m'] },
  { keys: ['a'], does: 'live analysis on and off', run: toggleLive, on: ['a'] },
  { keys: ['u'], does: 'take a move back', run: () => { if (page.value === 'play' && match.value) takeBack(); else step(-1); }, on: ['u'] },
  { keys: ['h'], does: 'a hint', run: () => void hint(), on: ['h'] },
  { keys: ['n'], does: 'on Play: a new game', run: () => { if (page.value === 'play') newGame(); }, on: ['n'] },
  { keys: ['Ctrl Z'], does: 'bring back what was deleted or put away', run: () => undefined, on: [] },
  { keys: ['?'], does: 'this help', run: () => { helpOpen.value = true; }, on: ['?'] },
  { keys: ['right button'], does: 'on the board of Analyse: draw circles and arrows (red with Shift, blue with Alt)', run: () => undefined, on: [] },
  { keys: ['Tab', '← ↑ → ↓', 'Enter'], does: 'on the board: move over the cells, select', run: () => undefined, on: [] },
];

const WALK: Record<string, () => void> = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: toStart, ArrowDown: toEnd, Home: toStart, End: toEnd,
};

export function listen(): void {
  window.addEventListener('keydown', (event) => {
    if (event.altKey || helpOpen.value || dialog.value || choice.value) return;
    const target = event.target as Element;
    if (target.closest('input, textarea, select')) return;
    if ((event.ctrlKey || event.metaKey) && event.key === 'z' && page.value !== 'play' && bringBack()) event.preventDefault();
    if (event.ctrlKey || event.metaKey) return;
    // A position in the making has no moves to go through.
    if (draft.value) { if (event.key === 'Escape') endSetup(); return; }
    const onBoardPage = page.value !== 'learn';
    const action = onBoardPage ? (WALK[event.key] ?? KEYS.find((k) => k.on.includes(event.key))?.run) : event.key === '?' ? () => { helpOpen.value = true; } : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  });
}
