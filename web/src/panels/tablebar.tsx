// What is on the table, in one line: the game, files in and out, and on to playing.
import { open } from '../state/navigation';
import { match, playOn } from '../state/play';
import { newTable, table, view } from '../state/session';
import { Button } from '../ui/controls';
import { FileButtons } from './files';
import { GamePicker } from './gamepicker';

export function TableBar() {
  return (
    <div class="table-bar">
      <GamePicker compact spec={table.value.spec} onChange={(spec) => { match.value = null; newTable(spec); }} />
      <span class="grow" />
      <FileButtons report bare />
      <Button bare icon="play" label="Play from here" disabled={!!view.value?.outcome} onClick={() => { playOn(); open('play'); }} />
    </div>
  );
}
