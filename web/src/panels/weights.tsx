// The weights of a run, as they are or beside others: those of another run, or its own at another
// moment. They follow a run that learns.
import { useEffect, useState } from 'preact/hooks';
import { ApiError, api, online, visits } from '../api/client';
import type { Chosen, Part, Weights } from '../api/types';
import { largest, minusBoard, pairs, possible, shared, twinOf } from '../state/weights';
import { Card, Nothing, Select } from '../ui/controls';
import { Bars, Board, Legend } from '../ui/weightboard';

/** How often the weights of a run at work are asked for. */
const OFTEN = 6000;

interface Shown {
  weights: Weights | null;
  note: string | null;
}

/** The weights of a run, asked again while it learns. A choice that is refused falls back to none. */
function useWeights(name: string | null, chosen: Chosen, live: boolean): Shown | null {
  const [shown, setShown] = useState<{ name: string; answer: Shown } | null>(null);
  const key = JSON.stringify(chosen);
  useEffect(() => {
    if (!name || !online.value) return;
    const control = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const answer = await api.weights(name, chosen, control.signal).catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 400 && key !== '{}') return api.weights(name, {}, control.signal);
          throw error;
        });
        if (!control.signal.aborted) setShown({ name, answer });
      } catch (error) {
        if (!control.signal.aborted) setShown({ name, answer: { weights: null, note: error instanceof Error ? error.message : String(error) } });
      }
    };
    void load();
    const timer = live ? window.setInterval(() => void load(), OFTEN) : undefined;
    return () => { control.abort(); window.clearInterval(timer); };
  }, [name, key, live, visits.value, online.value]);
  return shown && shown.name === name ? shown.answer : null;
}

interface ChoosersProps {
  weights: Weights | null;
  parts: Part[];
  of?: string;
  onChoose(part: Part, value: string): void;
}

function Choosers({ weights, parts, of, onChoose }: ChoosersProps) {
  return (
    <>
      {weights?.choices.filter((c) => parts.includes(c.name)).map((choice) => (
        <Select key={choice.name} label={of ? `${choice.label} of ${of}` : choice.label} value={choice.chosen} onChange={(value) => onChoose(choice.name, value)}
          options={choice.options.map((o) => ({ value: o.name, label: o.help || o.name }))} />
      ))}
    </>
  );
}

export function WeightsPanel({ name, live, other, otherLive }: { name: string; live: boolean; other: string | null; otherLive: boolean }) {
  const [chosen, setChosen] = useState<Chosen>({});
  const [theirs, setTheirs] = useState<Chosen>({});
  const [before, setBefore] = useState('');
  useEffect(() => { setChosen({}); setBefore(''); }, [name]);
  useEffect(() => { setTheirs({}); }, [other]);
  const own = useWeights(name, chosen, live);
  const earlier: Chosen = { ...chosen, games: before };
  const second = useWeights(other ?? (before ? name : null), other ? { ...shared(chosen), ...theirs } : earlier, other ? otherLive : false);
  if (!own) return null;
  const { weights, note } = own;
  const moments = weights?.choices.find((c) => c.name === 'games');
  const choose = (part: Part, value: string): void => setChosen({ ...possible(chosen, weights), [part]: value });
  const names: [string, string] | null = other ? [name, other] : before && second?.weights ? [weights?.about ?? '', second.weights.about] : null;
  return (
    <Card title="Weights" class="weights" tools={weights && <span class="quiet">{weights.about}</span>}>
      {!weights && <Nothing>{note}</Nothing>}
      {weights && (
        <div class="row wrap weight-choices">
          <Choosers weights={weights} parts={['experiment', 'type', 'group', 'games']} onChoose={choose} />
          {!other && moments && (
            <Select label="Beside" value={before} onChange={setBefore}
              options={[{ value: '', label: 'nothing' }, ...moments.options.filter((o) => o.name !== moments.chosen).map((o) => ({ value: o.name, label: o.help || o.name }))]} />
          )}
          {other && <Choosers weights={second?.weights ?? null} parts={['experiment', 'games']} of={other} onChoose={(part, value) => setTheirs({ ...theirs, [part]: value })} />}
        </div>
      )}
      {weights && <Drawn weights={weights} second={names ? (second?.weights ?? null) : null} names={names} />}
      {other && second && !second.weights && <Nothing>{other}: {second.note}</Nothing>}
    </Card>
  );
}

function Drawn({ weights, second, names }: { weights: Weights; second: Weights | null; names: [string, string] | null }) {
  const most = largest(weights.boards, second?.boards);
  const rows = weights.boards.map((board) => {
    const twin = twinOf(board, second);
    return { board, twin, minus: minusBoard(board, twin) };
  });
  const apart = largest(rows.flatMap((r) => r.minus ?? []));
  return (
    <>
      <Legend label={second ? 'Colours of both' : 'Colours'} most={most} unit={weights.unit} />
      {second && <Legend label="Colours of the difference" most={apart} unit="" />}
      {second && names && rows.some((r) => r.minus)
        ? rows.map(({ board, twin, minus }) => (
          <div key={board.title} class="weight-boards compared">
            <Board board={board} most={most} of={names[0]} />
            {twin && <Board board={twin} most={most} of={names[1]} />}
            {minus && <Board board={minus} most={apart} of="difference" />}
          </div>
        ))
        : [weights, ...(second ? [second] : [])].map((one, i) => (
          <div key={i} class="weight-boards">{one.boards.map((board) => <Board key={board.title} board={board} most={most} of={names?.[i]} />)}</div>
        ))}
      {weights.lists.length > 0 && (
        <div class="weight-lists">
          {weights.lists.map((list) => <Bars key={list.title} title={list.title} about={list.about} items={pairs(list, second)} names={second ? names : null} />)}
        </div>
      )}
    </>
  );
}
