// What the reader pointed at stays where it is while the page beside the drawer changes its width.

const HOLD_MS = 400; // maps and cards find their new size within this time
const SLACK_PX = 1;

let pointed = null;

const topOf = (item) => item.getBoundingClientRect().top;
const scrollPage = (by) => Math.abs(by) > SLACK_PX && scrollBy({ top: by, behavior: "instant" });

function inSight(item) {
  const { top, bottom, height } = item.getBoundingClientRect();
  return height > 0 && bottom > 0 && top < innerHeight;
}

/** Remember what is pointed at, before any other handler runs. */
export function watchPointing() {
  for (const kind of ["pointerdown", "keydown", "click"]) {
    addEventListener(kind, (event) => (pointed = event.target), { capture: true });
  }
}

/** Row, list item or map that was last pointed at, or another item, if it can be seen. */
function anchorOf(others) {
  const within = pointed instanceof Element && pointed.isConnected && !pointed.closest("#drawer") ? pointed : null;
  const found = [within?.closest(".map-place, tr[data-gene], #dark-list li"), ...others];
  return found.find((item) => item && item !== document.body && inSight(item)) ?? null;
}

/** The arrow of a gene may leave the screen with its map: bring it back. */
function showArrow(index) {
  const arrow = document.querySelector(`#maps [data-index="${Number(index)}"]`);
  if (!arrow) return;
  const { top, bottom, height } = arrow.getBoundingClientRect();
  if (!height) return;
  if (top < 0) scrollPage(top - 100);
  else if (bottom > innerHeight) scrollPage(bottom - innerHeight + 100);
}

/**
 * Change the width of the page and keep what was pointed at, or else the first of `items` that
 * is in sight, at its height.
 *
 * `settle` lets the table take up its new row heights and scrolls the box so that the row keeps
 * its place in it.
 */
export function keepPlace({ items, index }, change, settle) {
  const anchor = anchorOf(items);
  const before = anchor && topOf(anchor);
  change();
  settle();
  if (!anchor) return;
  const onMap = anchor.matches(".map-place");
  const until = performance.now() + HOLD_MS;
  const stop = new AbortController();
  for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    addEventListener(kind, () => stop.abort(), { capture: true, passive: true, signal: stop.signal });
  }
  const hold = () => {
    if (stop.signal.aborted) return;
    if (anchor.isConnected) scrollPage(topOf(anchor) - before);
    if (performance.now() < until) requestAnimationFrame(hold);
    else {
      stop.abort();
      if (onMap) showArrow(index);
    }
  };
  hold();
}
