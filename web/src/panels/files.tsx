// Games in and out: paste, drop, open; save, share, report.
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { wholeLine } from '../state/graph';
import { tell } from '../state/messages';
import { open } from '../state/navigation';
import { choice, openRecord, problem, readFile, readText, resultText, save, saveReport } from '../state/records';
import { writeRoute } from '../state/route';
import { details, line, table, view } from '../state/session';
import { Button, Dialog, Nothing } from '../ui/controls';

export const dialog = signal<'load' | 'save' | null>(null);

export async function share(): Promise<void> {
  const address = new URL(window.location.href);
  address.hash = writeRoute({ page: 'analyse', line: line.value });
  try {
    await navigator.clipboard.writeText(address.href);
    tell('The link is in the clipboard.');
  } catch {
    // No permission: the person can copy it by hand.
    window.prompt('Copy this link', address.href);
  }
}

export function FileButtons({ report, bare }: { report: boolean; bare?: boolean }) {
  return (
    <div class={`row files${bare ? ' bare' : ' wrap'}`}>
      <Button bare={bare} icon="load" label="Load" onClick={() => { problem.value = null; dialog.value = 'load'; }} />
      <Button bare={bare} icon="save" label="Save" onClick={() => { dialog.value = 'save'; }} />
      <Button bare={bare} icon="share" label="Share" onClick={() => void share()} />
      {report && <Button bare={bare} icon="report" label="Report" disabled={wholeLine.value.moves.length === 0} onClick={() => void saveReport()} />}
    </div>
  );
}

export function FileDialogs() {
  return (
    <>
      {dialog.value === 'load' && <LoadDialog />}
      {dialog.value === 'save' && <SaveDialog />}
      {choice.value && <ChoiceDialog />}
    </>
  );
}

/** Closes the dialog and shows the game where it can be looked at, if the reading went well. */
async function then(reading: Promise<boolean>): Promise<void> {
  if (!(await reading)) return;
  dialog.value = null;
  open('analyse');
}

function LoadDialog() {
  const text = useRef<HTMLTextAreaElement>(null);
  const formats = details.value?.formats.map((f) => f.name).join(', ');
  return (
    <Dialog title="Load a game or a position" onClose={() => { dialog.value = null; }}>
      <label class="field">
        <span class="field-label">Paste a record or a position{formats ? ` (${formats})` : ''}</span>
        <textarea ref={text} rows={8} spellcheck={false} placeholder={view.value?.position ?? ''} />
      </label>
      {problem.value && <p class="problem" role="alert">{problem.value}</p>}
      <div class="row">
        <label class="button plain file-button">
          <span>Open a file …</span>
          <input type="file" class="unseen" onChange={(e) => { const file = e.currentTarget.files?.[0]; if (file) void then(readFile(file)); e.currentTarget.value = ''; }} />
        </label>
        <span class="quiet">or drop one anywhere on the page</span>
        <span class="grow" />
        <Button kind="main" label="Read" onClick={() => void then(readText(text.current?.value ?? ''))} />
      </div>
    </Dialog>
  );
}

function SaveDialog() {
  const formats = details.value?.formats ?? [];
  return (
    <Dialog title="Save" onClose={() => { dialog.value = null; }}>
      <p class="quiet">The line on the board with its comments, as a file:</p>
      <div class="row wrap">
        {formats.map((f) => <Button key={f.name} icon="save" label={f.name} onClick={() => { dialog.value = null; void save(f.name); }} />)}
        {formats.length === 0 && <Nothing>This game has no file format of its own; share a link instead.</Nothing>}
      </div>
      <label class="field"><span class="field-label">This position</span>
        <input readOnly value={view.value?.position ?? ''} onFocus={(e) => e.currentTarget.select()} /></label>
      <label class="field"><span class="field-label">The moves</span>
        <textarea readOnly rows={3} value={table.value.at ? (view.value?.texts ?? line.value.moves).join(' ') : ''} onFocus={(e) => e.currentTarget.select()} /></label>
    </Dialog>
  );
}

function ChoiceDialog() {
  const found = choice.value;
  if (!found) return null;
  const { games, problems, more } = found.answer;
  return (
    <Dialog title={`${games.length + more} games`} onClose={() => { choice.value = null; }}>
      {problems.length > 0 && (
        <div class="problem" role="alert">
          {problems.slice(0, 5).map((p, i) => <p key={i}>Game {p.game}: {p.message}</p>)}
          {problems.length > 5 && <p>and {problems.length - 5} more</p>}
        </div>
      )}
      <ul class="choice">
        {games.map((game, i) => {
          const name = (side: string): string => game.tags[side] ?? '?';
          const known = game.tags.White || game.tags.Black;
          return (
            <li key={i}>
              <button type="button" onClick={() => { openRecord(found.spec, game); open('analyse'); }}>
                <span class="number">{i + 1}</span>
                <span>{known ? `${name('White')} – ${name('Black')}` : (game.tags.Event ?? 'A game')}</span>
                <span class="quiet">{[game.tags.Date, resultText(game.result, details.value?.sides ?? ['first', 'second']), `${game.moves} moves`].filter(Boolean).join(' · ')}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {more > 0 && <p class="quiet">{more} more are in the file; the first ones are shown.</p>}
    </Dialog>
  );
}
