// Which game, and which size or variant of it.
import { useState } from 'preact/hooks';
import { api } from '../api/client';
import { games } from '../state/session';
import { Select } from '../ui/controls';
import { VariantForm } from './variantform';

const OTHER = '…';

/** The title of a game names its first size, which is not the size of every variant. */
const family = (title: string): string => title.replace(/(?:\s+on)?\s+\d+×\d+$/, '');

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
      {typing && <VariantForm name={name} help={game?.help ?? ''} specs={specs} spec={spec} onUse={async (next) => { await api.game(next); setTyping(false); onChange(next); }} />}
    </div>
  );
}
