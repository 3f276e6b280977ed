// Several moves touch the same cells (promotions): their texts, to choose from.
import { useEffect, useRef } from 'preact/hooks';
import type { LegalMove } from '../api/types';
import { center, type Geometry } from './geometry';

/** Nearly everybody wants a queen. */
export function queenFirst(moves: LegalMove[]): LegalMove[] {
  return [...moves].sort((a, b) => Number(b.text.includes('=Q')) - Number(a.text.includes('=Q')));
}

interface ChooserProps {
  g: Geometry;
  choice: { moves: LegalMove[]; cell: number };
  onPick(move: LegalMove): void;
  onClose(): void;
}

export function Chooser({ g, choice, onPick, onClose }: ChooserProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('button')?.focus(), []);
  const { x, y } = center(g, choice.cell);
  const [across, down] = [x / g.across, y / g.down];
  return (
    <>
      <div class="chooser-back" onPointerDown={onClose} />
      <div class="chooser" ref={box} role="dialog" aria-label="Which move?"
        onKeyDown={(e) => { if (e.key === 'Escape') { e.stopPropagation(); onClose(); } }}
        style={{
          left: `${Math.min(88, Math.max(12, 100 * across))}%`,
          ...(down > 0.5 ? { bottom: `${100 * (1 - down)}%` } : { top: `${100 * down}%` }),
        }}>
        {choice.moves.map((m) => <button type="button" key={m.move} onClick={() => onPick(m)}>{m.text}</button>)}
      </div>
    </>
  );
}
