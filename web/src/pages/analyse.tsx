// Analysing: live lines, the tree of moves, the course of the game.
import { EnginePanel } from '../panels/engine';
import { GraphPanel } from '../panels/graph';
import { MoveList } from '../panels/movelist';
import { TableBar } from '../panels/tablebar';
import { edit, table } from '../state/session';
import * as t from '../state/tree';
import { Button, Card } from '../ui/controls';

export function AnalysePanel() {
  return (
    <>
      <TableBar />
      <EnginePanel />
      <Card title="Moves" class="moves-card" tools={<TreeTools />}>
        <MoveList variations />
        <Comment />
      </Card>
      <GraphPanel />
    </>
  );
}

function TreeTools() {
  const { tree, at } = table.value;
  const main = t.mainFrom(tree, t.ROOT);
  return (
    <>
      <Button bare icon="up" label="Make this the main line" disabled={at === t.ROOT || main.includes(at)} onClick={() => edit((tree) => t.promote(tree, at))} />
      <Button bare icon="trash" label="Delete from here" disabled={at === t.ROOT} onClick={() => edit((tree) => t.remove(tree, at))} />
    </>
  );
}

function Comment() {
  const { tree, at } = table.value;
  return (
    <label class="comment-box">
      <span class="unseen">Comment on this position</span>
      <input placeholder="Comment on this position …" value={t.node(tree, at).comment} maxLength={2000}
        onInput={(e) => { const text = e.currentTarget.value; edit((tree) => t.comment(tree, at, text)); }} />
    </label>
  );
}
