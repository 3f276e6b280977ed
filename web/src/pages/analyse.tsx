// Analysing: live lines, the tree of moves, the course of the game.
import { dialog } from '../panels/files';
import { EnginePanel } from '../panels/engine';
import { GraphPanel } from '../panels/graph';
import { MoveList } from '../panels/movelist';
import { draft, SetupPanel } from '../panels/setup';
import { TableBar } from '../panels/tablebar';
import { MARKS } from '../api/types';
import { resultText, shortDate } from '../state/records';
import { clear, drawings, tool, TOOLS } from '../state/sketch';
import { capital, edit, keepTable, table, view } from '../state/session';
import * as t from '../state/tree';
import { Button, Card, Select } from '../ui/controls';

export function AnalysePanel() {
  if (draft.value) return <SetupPanel />;
  return (
    <>
      <TableBar />
      <EnginePanel />
      <Card title="Moves" class="moves-card" tools={<TreeTools />}>
        <About />
        <MoveList variations />
        <Comment />
      </Card>
      <GraphPanel />
    </>
  );
}

/** Who played what, when and where, as far as the file says so. */
function About() {
  const { tags, result } = table.value;
  const sides = view.value?.sides;
  if (!sides) return null;
  const rated = (side: string): string | undefined => {
    const [name, extra] = [tags[capital(side)], tags[`${capital(side)}Elo`] ?? tags[`${capital(side)}Rank`]];
    return name && extra ? `${name} (${extra})` : name;
  };
  const players = sides.map(rated);
  const parts = [players.some(Boolean) ? players.map((p) => p ?? '?').join(' – ') : '', resultText(result, sides), tags.Event, tags.Site, shortDate(tags.Date)]
    .filter((part) => part && part !== '?');
  return (
    <div class="row about-row">
      {parts.length > 0 && <p class="quiet about">{parts.join(' · ')}</p>}
      <button type="button" class="link quiet" onClick={() => { dialog.value = 'head'; }}>{parts.length ? 'edit' : 'Players, event, result …'}</button>
    </div>
  );
}

function TreeTools() {
  const { tree, at } = table.value;
  const main = t.mainFrom(tree, t.ROOT);
  return (
    <>
      <Select hideLabel label="Mark of this move" value={t.node(tree, at).mark ?? ''} disabled={at === t.ROOT}
        onChange={(sign) => edit((tree) => t.mark(tree, at, MARKS.find((m) => m === sign)))}
        options={[{ value: '', label: 'mark' }, ...MARKS.map((m) => ({ value: m, label: m }))]} />
      <Button bare icon="up" label="Make this the main line" disabled={at === t.ROOT || main.includes(at)} onClick={() => edit((tree) => t.promote(tree, at))} />
      <Button bare icon="trash" label="Delete from here" disabled={at === t.ROOT} onClick={() => { keepTable('Deleted.'); edit((tree) => t.remove(tree, at)); }} />
    </>
  );
}

function Comment() {
  const { tree, at } = table.value;
  const { words, commands } = t.spoken(t.node(tree, at).comment);
  return (
    <div class="row comment-row">
      <label class="comment-box grow">
        <span class="unseen">Comment on this position</span>
        <input placeholder="Comment on this position …" value={words} maxLength={2000}
          onInput={(e) => { const text = e.currentTarget.value; edit((tree) => t.comment(tree, at, commands ? `${commands} ${text}` : text)); }} />
      </label>
      <Select hideLabel label="Draw on the board" value={tool.value ?? ''} onChange={(chosen) => { tool.value = TOOLS.find((known) => known === chosen) ?? null; }}
        options={[{ value: '', label: 'draw' }, ...TOOLS.map((name) => ({ value: name, label: name }))]} />
      {drawings.value.length > 0 && <Button bare icon="close" label="Take the drawings away" onClick={clear} />}
    </div>
  );
}
