// Chessmen, drawn for this page on squares of 100 × 100. Each is a body (filled, outlined) and lines
// (drawn over it); the colours come from the style sheet.

interface Drawing {
  body: string;
  lines: string;
}

const BASE = 'M24 88 Q22 88 22 85 Q22 77 31 76 L69 76 Q78 77 78 85 Q78 88 76 88 Z';

export const CHESSMEN: Record<string, Drawing> = {
  p: {
    body:
      'M27 88 Q25 88 25 85 Q26 74 38 66 Q44 58 44.5 51 L38 51 Q35 47.5 38 44.5 Q34.5 40 34.5 35.5 A15.5 15.5 0 0 1 65.5 35.5 Q65.5 40 62 44.5 Q65 47.5 62 51 L55.5 51 Q56 58 62 66 Q74 74 75 85 Q75 88 73 88 Z',
    lines: 'M40 51 L60 51',
  },
  r: {
    body: `${BASE} M31 76 L35.5 69 L37.5 41 L30 34 L28 18 L39 18 L39 24 L45 24 L45 18 L55 18 L55 24 L61 24 L61 18 L72 18 L70 34 L62.5 41 L64.5 69 L69 76 Z`,
    lines: 'M37.5 41 L62.5 41 M35.5 69 L64.5 69 M31 76 L69 76',
  },
  n: {
    body: `${BASE} M31 76 Q33 63 46 53 Q37 56 32 61 Q25 66 21 61 Q15 56 20 49 Q29 36 33 29 L31 16 L42 21 Q46 18 50 18 L54 12 L59 20 Q77 32 73 60 Q72 69 69 76 Z`,
    lines: 'M31 76 L69 76 M58 27 Q69 39 66.5 62 M22.5 55 L25 53.5',
  },
  b: {
    body: `${BASE} M31 76 Q38 72 40 66 L37 63 Q36 60 39 59 Q31 52 32 44 Q34 32 46 24 A5.5 5.5 0 1 1 54 24 Q66 32 68 44 Q69 52 61 59 Q64 60 63 63 L60 66 Q62 72 69 76 Z`,
    lines: 'M39 59 L61 59 M40 66 L60 66 M31 76 L69 76 M50 34 L50 48 M43.5 41 L56.5 41',
  },
  q: {
    body: `${BASE} M31 76 L34 65 L31 60 L21 34 A5 5 0 1 1 26 31 L37 47 L35.5 24 A5 5 0 1 1 41.5 23 L50 44 L58.5 23 A5 5 0 1 1 64.5 24 L63 47 L74 31 A5 5 0 1 1 79 34 L69 60 L66 65 L69 76 Z`,
    lines: 'M31 60 Q50 54 69 60 M34 65 Q50 60 66 65 M31 76 L69 76',
  },
  k: {
    body: `${BASE} M31 76 L34 65 L32 59 Q18 49 22 38 Q29 28 41 36 L46 41 Q43 33 47 28 L47 24 L40 24 L40 18 L47 18 L47 11 L53 11 L53 18 L60 18 L60 24 L53 24 L53 28 Q57 33 54 41 L59 36 Q71 28 78 38 Q82 49 68 59 L66 65 L69 76 Z`,
    lines: 'M32 59 Q50 53 68 59 M34 65 Q50 60 66 65 M31 76 L69 76 M50 44 L50 55',
  },
};

const GLYPHS = ['♙♟p', '♘♞n', '♗♝b', '♖♜r', '♕♛q', '♔♚k'];

/** Which chessman a glyph stands for, in whatever game. */
export function chessman(glyph: string): Drawing | null {
  const row = GLYPHS.find((g) => g.startsWith(glyph) || g[1] === glyph);
  return CHESSMEN[row?.[2] ?? ''] ?? null;
}

export function Chessman({ drawing }: { drawing: Drawing }) {
  return (
    <g class="man" transform="scale(.1) translate(-50 -50)">
      <path class="man-body" d={drawing.body} />
      <path class="man-lines" d={drawing.lines} />
    </g>
  );
}
