// Weights as coloured boards, with the numbers in their fields: nobody has to tell them by colour.
import type { WeightBoard } from '../api/types';
import { cellName, colour, number, steps } from '../state/weights';

export function Board({ board, most, of }: { board: WeightBoard; most: number; of?: string }) {
  const rows = Array.from({ length: board.height }, (_, row) => row);
  const columns = Array.from({ length: board.width }, (_, column) => column);
  return (
    <table class="weight-board">
      <caption title={board.about || undefined}>{board.title}{of && <span class="quiet"> {of}</span>}</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            <th scope="row">{board.rows[row]}</th>
            {columns.map((column) => {
              const cell = row * board.width + column;
              const value = board.cells[cell] ?? null;
              return value === null
                ? <td key={column} class="none" aria-label={`${cellName(board, cell)}: none`} />
                : <td key={column} style={{ background: colour(value, most) }} title={`${cellName(board, cell)}: ${number(value, most / 100)}`}>{number(value, most)}</td>;
            })}
          </tr>
        ))}
        {board.columns.length > 0 && <tr><th />{columns.map((column) => <th key={column} scope="col">{board.columns[column]}</th>)}</tr>}
      </tbody>
    </table>
  );
}

/** Which colour means how much. */
export function Legend({ label, most, unit }: { label: string; most: number; unit: string }) {
  if (!(most > 0)) return null;
  return (
    <p class="weight-scale">
      <span class="quiet">{label}</span>
      {steps(most).map((value) => <span key={value} class="step" style={{ background: colour(value, most) }}>{number(value, most)}</span>)}
      {unit && <span class="quiet">{unit}</span>}
    </p>
  );
}

interface BarsProps {
  title: string;
  about: string;
  items: { name: string; value: number; other: number | null }[];
  /** The names of two, where they are compared. */
  names: [string, string] | null;
}

/** Numbers that belong to no field, with bars to both sides of nought. */
export function Bars({ title, about, items, names }: BarsProps) {
  const most = items.reduce((m, i) => Math.max(m, Math.abs(i.value), Math.abs(names ? (i.other ?? 0) : 0)), 0);
  const bar = (value: number, kind: string) => (
    <i class={kind} style={{ background: colour(value, 0.0001 * most), width: `${most > 0 ? (50 * Math.abs(value)) / most : 0}%`, left: `${50 - (value < 0 ? (50 * Math.abs(value)) / most : 0)}%` }} />
  );
  return (
    <div class="scroll weight-list" tabIndex={0} role="region" aria-label={title}>
      <table>
        <caption>{title}{about && <span class="quiet"> {about}</span>}</caption>
        {names && <thead><tr><th scope="col">weight</th><th scope="col">{names[0]}</th><th scope="col">{names[1]}</th><th scope="col">difference</th><th /></tr></thead>}
        <tbody>
          {items.map((item) => (
            <tr key={item.name}>
              <th scope="row">{item.name}</th>
              <td>{number(item.value, most / 10)}</td>
              {names && <td>{item.other === null ? '–' : number(item.other, most / 10)}</td>}
              {names && <td>{item.other === null ? '–' : number(item.value - item.other, most / 10)}</td>}
              <td class="bar" aria-hidden="true"><span>{bar(item.value, '')}{names && item.other !== null && bar(item.other, 'second')}</span></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
