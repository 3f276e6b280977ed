// Exploring: what books, records and databases know about the position on the board.
import { useSignalEffect } from '@preact/signals';
import { useState } from 'preact/hooks';
import { ApiError, api } from '../api/client';
import type { DatabaseAnswer, ExploreAnswer, ExploreMove, Source } from '../api/types';
import { sideClass } from '../board/dress';
import { MoveList } from '../panels/movelist';
import { TableBar } from '../panels/tablebar';
import { answer, available, chosen, failed, part, PARTS, shares, source } from '../state/explore';
import { complain } from '../state/messages';
import { match } from '../state/play';
import { preview } from '../state/preview';
import { capital, details, kind, line, lineKey, newTable, playMove, table, textOf, view } from '../state/session';
import { Button, Card, Nothing, Segments, Select } from '../ui/controls';
import { brief, ticks } from '../ui/scale';
import { GamesTable, HowTo, RecordsFilter } from './collection';

const LABELS: Record<Source, string> = { book: 'Book', records: 'Games', database: 'Database' };

export function ExplorePanel() {
  const [all, from] = [available.value, chosen.value];
  const last = answer.value?.found ?? null;
  const found = last?.source === from ? last : null;
  const stale = answer.value !== null && answer.value.key !== lineKey(line.value);
  return (
    <>
      <TableBar />
      <Card class="explore-card">
        {all.length > 0 && from && (
          <div class="row wrap">
            {all.length > 1 && <Segments label="Where to look" value={from} options={all.map((s) => ({ value: s, label: LABELS[s] }))} onChange={(s) => { source.value = s; }} />}
            {kind.value === 'go' && from === 'records' && (
              <Select hideLabel label="How much of the board" value={part.value} onChange={(p) => { part.value = PARTS.find((known) => known === p) ?? 'whole'; }}
                options={PARTS.map((value) => ({ value, label: value === 'whole' ? 'whole board' : `${value.replace('-', ' ')} corner` }))} />
            )}
          </div>
        )}
        {found?.name && <p class="opening-name">{found.name}</p>}
        {from === 'records' && <RecordsFilter searched={found?.searched} found={found?.found} />}
        {details.value && all.length === 0 && <HowTo alone />}
        {failed.value && <p class="problem" role="alert">{failed.value}</p>}
        {from && !found && !failed.value && <Nothing>Looking …</Nothing>}
        {found && <div class={stale ? 'stale' : ''}><Found found={found} /></div>}
        {all.length > 0 && !all.includes('records') && <HowTo alone={false} />}
      </Card>
      {from === 'database' && details.value?.can.database && <DatabaseCard />}
      <Card title="Moves" class="moves-card"><MoveList variations={false} /></Card>
    </>
  );
}

function Found({ found }: { found: ExploreAnswer }) {
  return (
    <>
      {found.position && <p class="position-value">This position: <strong>{found.position.value.text}</strong></p>}
      {found.moves.length === 0
        ? <Nothing>Nothing is known about this position.</Nothing>
        : <MoveTable moves={found.moves} records={found.source === 'records'} />}
      {!!found.games?.length && <GamesTable games={found.games} />}
    </>
  );
}

type Order = 'count' | 'score' | 'years' | 'rating' | 'given';

/** Rows of moves before the games of the records; all where somebody asks. */
const FEW = 8;

/** What results speak of, where there are enough of them; else the mean rating. */
const strength = (m: ExploreMove): number | undefined => ((m.count ?? 0) >= 10 ? (m.performance ?? m.rating) : m.rating);

/** The mover's share of the points. */
function score(m: ExploreMove): number {
  const [first, draws, second] = m.wins ?? [0, 0, 0];
  const own = view.value?.to_move === 1 ? second : first;
  return (own + draws / 2) / Math.max(1, first + draws + second);
}

function MoveTable({ moves, records }: { moves: ExploreMove[]; records: boolean }) {
  const [order, setOrder] = useState<Order>('given');
  const [whole, setWhole] = useState(false);
  const has = {
    count: moves.some((m) => m.count !== undefined || m.share !== undefined), wins: moves.some((m) => m.wins), value: moves.some((m) => m.value),
    text: moves.some((m) => m.text), rating: moves.some((m) => m.rating),
  };
  const parts = shares(moves);
  const share = (m: ExploreMove): number => parts.get(m.move) ?? 0;
  const most = Math.max(...moves.map(share), 1e-9);
  // Records also say where play went elsewhere or ended.
  const playable = (move: string): boolean => !!view.value?.legal?.some((l) => l.move === move);
  const by: Record<Order, (m: ExploreMove) => number> = { given: () => 0, count: share, score, years: (m) => m.lastYear ?? 0, rating: (m) => strength(m) ?? 0 };
  const sorted = [...moves].sort((a, b) => by[order](b) - by[order](a));
  const cut = records && !whole && moves.length > FEW + 2;
  const rows = cut ? sorted.slice(0, FEW) : sorted;
  const head = (key: Order, text: string, wide = false) => (
    <th class={wide ? 'wide' : ''} aria-sort={order === key ? 'descending' : undefined}>
      {records ? <button type="button" class="sort" onClick={() => setOrder(order === key ? 'given' : key)}>{text}{order === key ? ' ▾' : ''}</button> : text}
    </th>
  );
  return (
    <table class={`explore${has.rating ? ' rated' : ''}`} onPointerLeave={() => preview([])}>
      <thead><tr><th>Move</th>{has.value && <th>Value</th>}{has.count && head('count', 'Played', true)}{has.wins && head('score', 'Results', true)}{has.text && head('years', 'Years')}{has.rating && head('rating', 'Elo')}</tr></thead>
      <tbody>
        {rows.map((m) => (
          <tr key={m.move} onPointerEnter={() => preview(playable(m.move) ? [m.move] : [])}>
            <td><button type="button" class="pv strong" disabled={!playable(m.move)} onClick={() => { preview([]); playMove(m.move); }}>{textOf(m.move)}</button></td>
            {has.value && <td><span class={`value ${m.value?.kind === 'won' ? 'good' : m.value?.kind === 'lost' ? 'bad' : ''}`}>{m.value?.text}</span></td>}
            {has.count && <td class="wide"><span class="share"><span class="share-bar" style={{ width: `${(100 * share(m)) / most}%` }} /><span>{m.count !== undefined ? brief(m.count) : ''} <span class="quiet">{(100 * share(m)).toFixed(share(m) < 0.1 ? 1 : 0)} %</span></span></span></td>}
            {has.wins && <td class="wide">{m.wins && <Results wins={m.wins} />}</td>}
            {has.text && <td class="quiet years">{m.text}</td>}
            {has.rating && <td class="quiet" title={m.rating ? `mean rating ${m.rating}${m.performance ? `, performance ${m.performance}` : ''}` : undefined}>{strength(m)}</td>}
          </tr>
        ))}
        {cut && <tr><td colSpan={9}><button type="button" class="link quiet" onClick={() => setWhole(true)}>{`and ${moves.length - FEW} more moves`}</button></td></tr>}
      </tbody>
    </table>
  );
}

function Results({ wins }: { wins: [number, number, number] }) {
  const sides = view.value?.sides ?? ['first', 'second'];
  const all = Math.max(1, wins[0] + wins[1] + wins[2]);
  const percent = wins.map((w) => Math.round((100 * w) / all));
  const classes = [sideClass(kind.value, sides, 0), 'draws', sideClass(kind.value, sides, 1)];
  return (
    <span class="results" role="img" aria-label={`${sides[0]} ${percent[0]} %, draws ${percent[1]} %, ${sides[1]} ${percent[2]} %`}>
      {wins.map((w, i) => (w > 0 ? <span key={i} class={classes[i]} style={{ flexGrow: w }}>{(percent[i] ?? 0) >= 18 ? `${percent[i]} %` : ''}</span> : null))}
    </span>
  );
}

const VALUES = ['won', 'lost', 'draw'];

function DatabaseCard() {
  const [found, setFound] = useState<{ spec: string; answer: DatabaseAnswer } | null>(null);
  const [value, setValue] = useState('won');
  const [plies, setPlies] = useState('');
  useSignalEffect(() => {
    const spec = table.value.spec;
    if (details.value?.spec !== spec || !details.value.can.database) return;
    let gone = false;
    api.database(spec).then((answer) => { if (!gone) setFound({ spec, answer }); }, (e: unknown) => { if (!gone && !(e instanceof ApiError && e.status === 404)) complain(e); });
    return () => { gone = true; };
  });
  const show = (position: string): void => { match.value = null; newTable(table.value.spec, position); };
  const random = (): void => {
    api.random(table.value.spec, value, plies === '' ? undefined : Number(plies)).then((r) => show(r.position), complain);
  };
  const data = found?.spec === table.value.spec ? found.answer : null;
  const distances = data?.distances.filter((d) => d.value === value) ?? [];
  return (
    <Card title="Database" class="database-card" tools={<Segments label="Value" value={value} options={VALUES.map((v) => ({ value: v, label: capital(v) }))} onChange={(v) => { setValue(v); setPlies(''); }} />}>
      {data && <Histogram distances={distances} chosen={plies} onChoose={setPlies} />}
      <div class="row wrap">
        <Select hideLabel label="Distance" value={plies} onChange={setPlies}
          options={[{ value: '', label: 'any distance' }, ...distances.map((d) => ({ value: String(d.plies), label: `${d.plies} ${d.plies === 1 ? 'ply' : 'plies'}` }))]} />
        <Button icon="dice" label={`A random position`} onClick={random} />
      </div>
      {!!data?.longest.length && (
        <details>
          <summary>Longest wins</summary>
          <ul class="choice">{data.longest.map((p) => <li key={p}><button type="button" onClick={() => show(p)}><code>{p}</code></button></li>)}</ul>
        </details>
      )}
    </Card>
  );
}

function Histogram({ distances, chosen, onChoose }: { distances: DatabaseAnswer['distances']; chosen: string; onChoose(plies: string): void }) {
  if (!distances.length) return <Nothing>No position has this value.</Nothing>;
  const most = Math.max(...distances.map((d) => d.count));
  const widest = Math.max(...distances.map((d) => d.plies));
  const w = 100 / (widest + 1);
  const marked = [...new Set(ticks(0, widest, 5).map(Math.round))].filter((v) => v >= 0 && v <= widest);
  return (
    <figure class="distances">
      <svg class="histogram" viewBox="0 0 100 32" preserveAspectRatio="none" role="img" aria-label="How many positions at which distance">
        {distances.map((d) => (
          <rect key={d.plies} class={chosen === String(d.plies) ? 'chosen' : ''} x={d.plies * w + w * 0.08} width={w * 0.84}
            // The root lets the rare long wins be seen next to the many short ones.
            y={32 - 31 * Math.sqrt(d.count / most)} height={31 * Math.sqrt(d.count / most)} onClick={() => onChoose(String(d.plies))}>
            <title>{`${d.plies} plies: ${brief(d.count)} positions`}</title>
          </rect>
        ))}
      </svg>
      <div class="histogram-axis quiet" aria-hidden="true">{marked.map((v) => <span key={v} style={{ left: `${(v + 0.5) * w}%` }}>{v}</span>)}</div>
      <figcaption class="quiet">Positions by their distance in plies (height is the root of the number; most: {brief(most)} at {distances.find((d) => d.count === most)?.plies})</figcaption>
    </figure>
  );
}
