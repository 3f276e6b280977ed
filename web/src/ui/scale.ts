// Numbers for the axes of charts, and for people.

/** Round values from `low` to `high`, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((s) => s * power >= rough) ?? 10) * power;
  const found: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}

/** At most about four digits, with k, M and G for large ones. */
export function brief(n: number): string {
  const size = Math.abs(n);
  if (size >= 1e9) return `${trim(n / 1e9)}G`;
  if (size >= 1e6) return `${trim(n / 1e6)}M`;
  if (size >= 1e4) return `${trim(n / 1e3)}k`;
  if (Number.isInteger(n)) return String(n);
  if (size !== 0 && size < 1e-3) return n.toExponential(1);
  return trim(n);
}

function trim(n: number): string {
  const digits = Math.abs(n) >= 100 ? 0 : Math.abs(n) >= 10 ? 1 : Math.abs(n) >= 1 ? 2 : 4;
  return String(Number(n.toFixed(digits)));
}
