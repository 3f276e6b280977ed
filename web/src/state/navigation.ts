// Which page is shown. The address follows what the person does, and the person can follow an address.
import { signal } from '@preact/signals';
import { type Page, type Route, readRoute, writeRoute } from './route';

export const route = signal<Route>(readRoute(window.location.hash));
export const page = signal<Page>(route.value.page);

/** Shows another page; a step back in the browser returns. */
export function open(next: Page): void {
  if (page.value === next) return;
  // First the new step, then the change: what follows it writes into the address of the new step.
  window.history.pushState(null, '', writeRoute({ page: next }));
  page.value = next;
}

/** Puts what is shown into the address, without a new step to go back to. */
export function mirror(shown: Partial<Route> & { page: Page }): void {
  const hash = writeRoute(shown);
  // Browsers and chats cut long addresses; the storage keeps the game in any case.
  if (hash.length < 4000 && hash !== window.location.hash) window.history.replaceState(null, '', hash);
}
