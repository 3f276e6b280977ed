// Records: which games count, whose they were, and what to do where there are none.
import type { ExploreGame } from '../api/types';
import { latest, openGame, player, years } from '../state/explore';
import { details, kind } from '../state/session';

const year = (text: string): number | undefined => (/^\d{3,4}$/.test(text.trim()) ? Number(text) : undefined);

export function RecordsFilter({ searched, found }: { searched?: number; found?: number }) {
  const set = (key: 'from' | 'until', text: string): void => {
    const { [key]: _, ...rest } = years.value;
    const number = year(text);
    years.value = number === undefined ? rest : { ...rest, [key]: number };
  };
  return (
    <div class="filter row wrap">
      <input class="filter-player" type="search" placeholder="Any player" aria-label="Player" spellcheck={false} value={player.value}
        onChange={(e) => { player.value = e.currentTarget.value; }} onInput={(e) => { if (!e.currentTarget.value) player.value = ''; }} />
      <span class="row filter-years">
        <input inputMode="numeric" placeholder="from" aria-label="From year" maxLength={4} value={years.value.from ?? ''} onChange={(e) => set('from', e.currentTarget.value)} />
        <span aria-hidden="true">–</span>
        <input inputMode="numeric" placeholder="until" aria-label="Until year" maxLength={4} value={years.value.until ?? ''} onChange={(e) => set('until', e.currentTarget.value)} />
      </span>
      {searched !== undefined && <span class="quiet">{(found ?? 0).toLocaleString('en')} of {searched.toLocaleString('en')} games</span>}
    </div>
  );
}

export function GamesTable({ games }: { games: ExploreGame[] }) {
  return (
    <>
      <h2 class="row">Games<span class="grow" />
        {kind.value !== 'go' && <button type="button" class="link" onClick={() => { latest.value = !latest.value; }}>{latest.value ? 'strongest first' : 'latest first'}</button>}
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Games">
        <table class="games">
          <tbody>
            {games.map((g, i) => (
              <tr key={g.number ?? i}>
                <td title={g.event}>{g.number === undefined ? g.players
                  : <button type="button" class="link game" title="Open this game" onClick={() => void openGame(g.number ?? 0, g.ply ?? 0)}>{g.players}</button>}
                </td>
                <td>{g.year}</td><td class="result">{g.result}</td><td>{g.move}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** How to get records onto this page; in full where there is nothing else. */
export function HowTo({ alone }: { alone: boolean }) {
  const found = details.value;
  if (!found) return null;
  const family = kind.value === 'go' ? 'go' : found.spec;
  const ending = found.formats[0]?.extensions[0] ?? 'txt';
  const steps = (
    <>
      <p>Give the server games ({found.formats.map((f) => f.name).join(', ')}; a file, a folder or an archive), and for every position it tells what was played, how often, with what result and by whom:</p>
      <pre><code>{`zug serve --records ${family}=games.${ending}`}</code></pre>
      <p>A large collection starts at once from an index:</p>
      <pre><code>{`zug explore ${family} --data games.${ending} --build index.zug\nzug serve --records ${family}=index.zug`}</code></pre>
      <p>No games at hand? Let players make some:</p>
      <pre><code>{`zug match zug zug --game ${family} --tc 1+0.02 --games 50 --out games.${ending}`}</code></pre>
    </>
  );
  if (alone) return <div class="how-to"><p class="nothing">No book, no records and no database of this game are here yet.</p>{steps}</div>;
  return <details class="how-to"><summary>Explore your own games</summary>{steps}</details>;
}
