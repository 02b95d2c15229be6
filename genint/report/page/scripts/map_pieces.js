// Which stretches of an item a drawing shows, however it is turned or cut.

/** Where an item is in sight: the turn it is drawn at, cut at the ends of a linear drawing. */
export function piecesInSight(item, view, [low, high] = view.range()) {
  const found = [];
  for (const shift of view.shifts) {
    const [start, end] = [item.start + shift, item.end + shift];
    if (end <= low || start >= high) continue;
    const [first, last] = view.ends || [-Infinity, Infinity];
    const piece = {
      item, shift,
      start: Math.max(start, first), end: Math.min(end, last),
      torn: [start < first, end > last],
    };
    if (piece.end > piece.start) found.push(piece);
    if (!view.ends) break; // a whole turn further is the same place of a circle
  }
  return found;
}
