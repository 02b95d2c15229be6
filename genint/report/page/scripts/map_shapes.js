// Outlines of genes as corners [u, v]: u along the backbone, v away from it, both in pixels.
// A view bends them to its own shape, so the linear and the circular map draw the same arrows.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const TEAR_PX = 3;
const LEAST_ARRAY_PX = 3;
export const BACKBONE_PX = 4.5; // half the height of what lies on the backbone itself

export function svgElement(name, attributes = {}, text = null) {
  const element = document.createElementNS(SVG_NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== null) element.textContent = text;
  return element;
}

/** Two decimals are a hundredth of a pixel; more would only make files long. */
export function rounded(value) {
  return Math.round(value * 100) / 100;
}

/** Rows of genes: how thick they are and how far from the backbone. */
export class Tracks {
  constructor(lane, gap, base) {
    Object.assign(this, { lane, gap, base });
  }

  /** Nearest and furthest distance of a lane's genes of some share of the height; of no lane: of
   * what lies on the backbone. */
  across(lane, share) {
    if (lane === null) return [-BACKBONE_PX, BACKBONE_PX];
    const near = this.base + lane * (this.lane + this.gap);
    return [near, near + this.lane * share];
  }

  /** Distance at which the lanes of a side end. */
  depth(lanes) {
    return lanes ? this.base + lanes * (this.lane + this.gap) - this.gap : this.base;
  }

  laneAt(away, lanes) {
    const lane = Math.floor((away - this.base + this.gap / 2) / (this.lane + this.gap));
    return lane >= 0 && lane < lanes ? lane : null;
  }
}

/** An end cut by the origin of the drawing: a zigzag says that the gene goes on. */
function tornEdge(u, near, far) {
  const step = (far - near) / 4;
  return [0, 1, 2, 3, 4].map((n) => [u + (n % 2 ? -TEAR_PX : 0), near + n * step]);
}

/**
 * The outline of one stretch.
 * tip: 1 points to higher positions, -1 to lower ones, 0 is a block.
 * torn: which ends are cut by the origin, [low, high].
 */
export function arrowOutline(low, high, near, far, tip = 0, torn = [false, false]) {
  const length = Math.min((far - near) * 0.5, (high - low) * 0.6, 12);
  const pointed = length >= 2 ? tip : 0;
  const middle = (near + far) / 2;
  const left = torn[0]
    ? tornEdge(low, near, far)
    : pointed < 0
      ? [[low + length, near], [low, middle], [low + length, far]]
      : [[low, near], [low, far]];
  const right = torn[1]
    ? tornEdge(high, near, far)
    : pointed > 0
      ? [[high - length, near], [high, middle], [high - length, far]]
      : [[high, near], [high, far]];
  return [...left, ...right.reverse()];
}

/** RNA genes: a lens with two blunt points, unlike any level. */
export function lensOutline(low, high, near, far) {
  const cut = Math.min((far - near) / 2, (high - low) / 3);
  const middle = (near + far) / 2;
  return [
    [low, middle], [low + cut, far], [high - cut, far],
    [high, middle], [high - cut, near], [low + cut, near],
  ];
}

/** CRISPR arrays: a block on the backbone, of some width however short it is. */
export function arrayOutline(low, high, near, far) {
  const more = Math.max(0, LEAST_ARRAY_PX - (high - low)) / 2;
  const [left, right] = [low - more, high + more];
  return [[left, near], [left, far], [right, far], [right, near]];
}

/** The thin line that joins the parts of a gene. */
export function joinOutline(low, high, near, far) {
  const middle = (near + far) / 2;
  return [[low, middle - 0.6], [low, middle + 0.6], [high, middle + 0.6], [high, middle - 0.6]];
}
