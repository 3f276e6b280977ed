// Which game, and which size or variant of it.
import { useState } from 'preact/hooks';
import { games } from '../state/session';
import { Select } from '../ui/controls';

const OTHER = '…';

/** The title of a game names its first size, which is not the size of every variant. */
const family = (title: string): string => title.replace(/\s+\d+×\d+$/, '');

export function GamePicker({ spec, onChange, compact }: { spec: string; onChange(spec: string): void; compact?: boolean }) {
  const name = spec.split(':')[0] ?? spec;
  const game = games.value.find((g) => g.name === name);
  const [typing, setTyping] = useState(false);
  const specs = game?.specs ?? [spec];
  const listed = specs.includes(spec) ? specs : [...specs, spec];
  const variant = (s: string): string => (s === name ? 'standard' : s.slice(name.length + 1));
  return (
    <div class="game-picker">
      <div class="row">
        <Select hideLabel={compact} label="Game" value={name} onChange={(next) => { setTyping(false); onChange(games.value.find((g) => g.name === next)?.specs[0] ?? next); }}
          options={(games.value.length ? games.value : [{ name, title: name }]).map((g) => ({ value: g.name, label: family(g.title) }))} />
        <Select hideLabel={compact} label="Variant" value={typing ? OTHER : spec} onChange={(next) => { setTyping(next === OTHER); if (next !== OTHER) onChange(next); }}
          options={[...listed.map((s) => ({ value: s, label: variant(s) })), { value: OTHER, label: 'other …' }]} />
      </div>
      {typing && (
        <form class="row" onSubmit={(e) => {
          e.preventDefault();
          const text = new FormData(e.currentTarget).get('spec');
          if (typeof text === 'string' && text.trim()) { setTyping(false); onChange(`${name}:${text.trim()}`); }
        }}>
          <label class="field grow"><span class="unseen">Variant</span><input name="spec" placeholder={game?.help ?? 'size and options'} autofocus /></label>
          <button class="button" type="submit">Use</button>
        </form>
      )}
    </div>
  );
}
