// A form for the size and the options of a game.
import { useRef, useState } from 'preact/hooks';
import { plainly } from '../state/messages';
import { type Option, options, parts, sized, spell } from '../state/variants';
import { Button } from '../ui/controls';

interface Props {
  name: string;
  help: string;
  specs: string[];
  spec: string;
  /** Takes it, or says why not. */
  onUse(spec: string): Promise<void>;
}

const SIZE = ' size';

export function VariantForm({ name, help, specs, spec, onUse }: Props) {
  const [known, now] = [options(help), parts(spec)];
  const [wrong, setWrong] = useState<string | null>(null);
  const bySize = sized(help, specs);
  // Words without a name (the heaps of Nim, "lose") go where the size does.
  const withWords = bySize || known.length === 0 || specs.some((s) => parts(s).size !== '');
  return (
    <form class="variant-form" onSubmit={(e) => {
      e.preventDefault();
      const entered = new FormData(e.currentTarget);
      const text = (field: string): string => { const value = entered.get(field); return typeof value === 'string' ? value : ''; };
      setWrong(null);
      onUse(spell(name, withWords ? text(SIZE) : now.size, known.map((o) => [o.name, text(o.name)])))
        .catch((error: unknown) => setWrong(plainly(error)));
    }}>
      <div class="row wrap">
        {withWords && (
          <label class="field"><span class="field-label">{bySize ? 'Size' : 'Variant'}</span>
            <input name={SIZE} size={8} defaultValue={now.size} placeholder={parts(specs[0] ?? '').size || 'usual'} autocomplete="off" spellcheck={false} /></label>
        )}
        {known.map((option) => <Field key={option.name} option={option} value={now.named.get(option.name) ?? ''} />)}
        <button class="button" type="submit">Use</button>
      </div>
      {wrong && <p class="problem" role="alert">{wrong}</p>}
      <p class="quiet">{help}</p>
    </form>
  );
}

function Field({ option, value }: { option: Option; value: string }) {
  const input = useRef<HTMLInputElement>(null);
  const label = /^\d/.test(option.name) ? `No. (${option.name})` : option.name[0]?.toUpperCase() + option.name.slice(1);
  if (option.choices.length) {
    return (
      <label class="field"><span class="field-label">{label}</span>
        <select name={option.name}>
          {['', ...option.choices].map((choice) => <option key={choice} value={choice} selected={choice === value}>{choice || 'usual'}</option>)}
        </select>
      </label>
    );
  }
  const { range } = option;
  return (
    <span class="row option-row">
      <label class="field"><span class="field-label">{label}</span>
        <input ref={input} name={option.name} size={5} inputMode="decimal" defaultValue={value} autocomplete="off"
          placeholder={range ? `${range[0]}–${range[1]}` : 'usual'} /></label>
      {range && range[1] - range[0] > 20 && (
        <Button bare icon="dice" label={`${label} by chance`} onClick={() => { if (input.current) input.current.value = String(range[0] + Math.floor(Math.random() * (range[1] - range[0] + 1))); }} />
      )}
    </span>
  );
}
