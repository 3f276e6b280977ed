// Games in and out: paste, drop, open; save, share, report.
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { fitting, wholeLine } from '../state/graph';
import { tell } from '../state/messages';
import { open } from '../state/navigation';
import { choice, openRecord, problem, readFile, readText, reporting, resultText, save, saveReport, shortDate } from '../state/records';
import { writeRoute } from '../state/route';
import { capital, details, line, table, view } from '../state/session';
import { Button, Dialog, Nothing } from '../ui/controls';
import { HeadDialog } from './head';

export const dialog = signal<'load' | 'save' | 'report' | 'head' | null>(null);

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
      {report && <Button bare={bare} icon="report" label="Report" disabled={wholeLine.value.moves.length === 0} onClick={() => { dialog.value = 'report'; }} />}
    </div>
  );
}

export function FileDialogs() {
  return (
    <>
      {dialog.value === 'load' && <LoadDialog />}
      {dialog.value === 'save' && <SaveDialog />}
      {dialog.value === 'report' && <ReportDialog />}
      {dialog.value === 'head' && <HeadDialog />}
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
      <p class="quiet">The game with its variations and comments, as far as the format has room for them:</p>
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

/** What was found in the game, for others: a page to read, or a file for other programs. */
function ReportDialog() {
  const formats = details.value?.formats ?? [];
  const g = fitting.value;
  const judged = g && !g.running && g.plies.size > g.moves.length;
  const make = (format: string): void => { void saveReport(format).then(() => { dialog.value = null; }); };
  return (
    <Dialog title="Report" onClose={() => { dialog.value = null; }}>
      <p class="quiet">The course of the game, the mistakes with their boards and what was better, your comments and variations.{!judged && ' The game is judged first, which takes a while.'}</p>
      <div class="row wrap">
        <Button kind="main" icon="report" label="Page (HTML)" disabled={reporting.value} onClick={() => make('HTML')} />
        {formats.map((f) => <Button key={f.name} icon="save" label={`${f.name} with remarks`} disabled={reporting.value} onClick={() => make(f.name)} />)}
      </div>
      {reporting.value && <p role="status">{g?.running ? `Judging: ${g.plies.size} of ${g.moves.length + 1} positions` : 'Writing …'}</p>}
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
          // The sides of the file's game, not of the one on the table; whoever begins stands first.
          const names = game.sides.map((side) => game.tags[capital(side)]);
          const length = game.game.startsWith('chess') ? Math.ceil(game.moves / 2) : game.moves;
          return (
            <li key={i}>
              <button type="button" onClick={() => { openRecord(game); open('analyse'); }}>
                <span class="number">{i + 1}</span>
                <span>{names.some(Boolean) ? names.map((name) => name ?? '?').join(' – ') : (game.tags.Event ?? 'A game')}</span>
                <span class="quiet">{[shortDate(game.tags.Date), resultText(game.result, game.sides), `${length} ${length === 1 ? 'move' : 'moves'}`].filter(Boolean).join(' · ')}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {more > 0 && <p class="quiet">{more} more are in the file; the first ones are shown.</p>}
    </Dialog>
  );
}
