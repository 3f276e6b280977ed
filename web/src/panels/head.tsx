// Who played, where and when, and how it ended: what stands at the head of a file.
import { describe, headFields } from '../state/head';
import { resultText } from '../state/records';
import { capital, table, view } from '../state/session';
import { Button, Dialog } from '../ui/controls';
import { dialog } from './files';

export function HeadDialog() {
  const { tags, result } = table.value;
  const sides = view.value?.sides ?? ['first', 'second'];
  const close = (): void => { dialog.value = null; };
  return (
    <Dialog title="About this game" onClose={close}>
      <form class="head-form" onSubmit={(e) => {
        e.preventDefault();
        const entered = new FormData(e.currentTarget);
        const text = (name: string): string => { const value = entered.get(name); return typeof value === 'string' ? value : ''; };
        describe(new Map(headFields(sides, tags).map((name) => [name, text(name)])), text('result'));
        close();
      }}>
        {headFields(sides, tags).map((name) => (
          <label class="field" key={name}><span class="field-label">{words(name)}</span><input name={name} defaultValue={tags[name] ?? ''} maxLength={200} autocomplete="off" /></label>
        ))}
        <label class="field">
          <span class="field-label">Result</span>
          <select name="result">{results(sides, result).map(({ value, label }) => <option key={value} value={value} selected={value === (result ?? '')}>{label}</option>)}</select>
        </label>
        <div class="row"><span class="grow" /><button class="button main" type="submit">Keep</button><Button label="Cancel" onClick={close} /></div>
      </form>
    </Dialog>
  );
}

/** What may have happened; a margin that a file states stays a choice. */
function results(sides: [string, string], stated: string | undefined): { value: string; label: string }[] {
  const won = (side: 0 | 1) => ({ value: String(side), label: `${capital(sides[side])} won` });
  const usual = [{ value: '', label: 'as the rules say' }, won(0), { value: 'draw', label: 'draw' }, won(1)];
  return !stated || usual.some((u) => u.value === stated) ? usual : [...usual, { value: stated, label: resultText(stated, sides) }];
}

/** "WhiteElo" as people say it. */
const words = (name: string): string => capital(name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()).replace(/\belo\b/, 'Elo');
