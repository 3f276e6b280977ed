// What is on the table, in one line: the game, files in and out, and on to playing.
import { open, page } from '../state/navigation';
import { match, playOn } from '../state/play';
import { keepTable, kind, newTable, settled, table, view } from '../state/session';
import { men } from '../state/setup';
import { Button } from '../ui/controls';
import { FileButtons } from './files';
import { GamePicker } from './gamepicker';
import { beginSetup } from './setup';

export function TableBar() {
  return (
    <div class="table-bar">
      <GamePicker compact spec={table.value.spec} onChange={(spec) => { keepTable('The game before was put away.'); match.value = null; newTable(spec); }} />
      <span class="grow" />
      {page.value === 'analyse' && men(kind.value).length > 0 && <Button bare icon="edit" label="Set up a position" disabled={!settled.value} onClick={beginSetup} />}
      <FileButtons report bare />
      <Button bare icon="play" label="Play from here" disabled={!!view.value?.outcome} onClick={() => { playOn(); open('play'); }} />
    </div>
  );
}
