// Which game is a file of? People drop a PGN while an Othello board is open.

/** The spec to read the text with; `current` unless the text or the name of the file says otherwise. */
export function guessGame(name: string, text: string, current: string): string {
  const base = current.split(':')[0];
  const other = (game: string): string => (base === game ? current : game);
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (extension === 'pgn' || /^\s*\[(Event|White|FEN)\s+"/m.test(text)) return other('chess');
  if (extension === 'ggf' || /^\s*\(;GM\[Othello\]/i.test(text)) return other('othello');
  const sgf = /^\s*\(\s*;/.test(text);
  if (sgf) {
    const kind = /GM\[(\d+)\]/.exec(text)?.[1] ?? '1';
    if (kind === '2') return other('othello');
    if (kind === '3') return other('chess');
    const size = /SZ\[(\d+)\]/.exec(text)?.[1] ?? '19';
    // The same size keeps the rules that were chosen.
    const have = base === 'go' ? (/(\d+)x\1/.exec(current)?.[1] ?? '19') : null;
    return have === size ? current : size === '19' ? 'go' : `go:${size}x${size}`;
  }
  if (/^([a-h][1-8]){8,}$/i.test(text.trim().replace(/\s+/g, '')) && base !== 'chess') return other('othello');
  if (looksLikeFen(text) || looksLikeChess(text)) return other('chess');
  return current;
}

/** Numbered moves, one of them of a piece or a capture: no other game writes so. */
function looksLikeChess(text: string): boolean {
  return /(^|\s)1\.\s*[a-hNBRQKO]/.test(text) && /(^|\s|\.)([NBRQK][a-h1-8]?x?[a-h][1-8]|[a-h]x[a-h][1-8]|O-O)/.test(text);
}

export function looksLikeFen(text: string): boolean {
  return /^\s*([1-8pnbrqkPNBRQK]+\/){7}[1-8pnbrqkPNBRQK]+\s+[wb]\b/.test(text);
}

/** A position is one line without the marks of a record. */
export function mayBePosition(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length > 0 && trimmed.length < 1000 && !/[\n[(]/.test(trimmed);
}
