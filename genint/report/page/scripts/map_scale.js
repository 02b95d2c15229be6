// How positions are written, and where the ruler has its ticks. Positions are 1-based.

const MAP_COUNT = new Intl.NumberFormat("en-US");

/** A whole number with separators of thousands. */
export function countText(value) {
  return MAP_COUNT.format(Math.round(value));
}

/** Bases between two ticks that are at least `apartPx` apart: 1, 2 or 5 times a power of ten. */
export function tickStep(bpPerPx, apartPx) {
  const least = Math.max(1, bpPerPx * apartPx);
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least - 1e-6);
}

/** Ticks from one base to another: multiples of the step, and base 1 where it is in sight. */
export function tickPositions(first, last, step) {
  const ticks = first <= 1 && last >= 1 ? [1] : [];
  for (let at = Math.max(1, Math.ceil(first / step)); at * step <= last; at += 1) {
    if (at * step > 1) ticks.push(at * step);
  }
  return ticks;
}

/** What a tick says, in the unit that its step requires: `4,300 bp`, `12.5 kb`, `3.2 Mb`. */
export function tickText(position, step, length) {
  if (position === 1) return "1";
  if (step >= 1e4 && length >= 1e6) {
    return `${(position / 1e6).toFixed(step >= 1e6 ? 0 : step >= 1e5 ? 1 : 2)} Mb`;
  }
  if (step >= 1000) return `${countText(position / 1000)} kb`;
  return countText(position);
}

/** A length in the unit in which people say it. */
export function sizeText(bp) {
  if (bp >= 1e6) return `${(bp / 1e6).toFixed(2)} Mb`;
  if (bp >= 1e4) return `${(bp / 1e3).toFixed(1)} kb`;
  return `${countText(bp)} bp`;
}

/** A place as the other parts of the report write it; an end below the start: over the origin. */
export function placeText(start, end, strand) {
  const over = end < start ? ", over the origin" : "";
  const side = strand ? ` (${strand === "-" ? "−" : "+"})` : "";
  return `${countText(start)}–${countText(end)}${side}${over}`;
}
