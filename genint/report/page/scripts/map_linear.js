// The linear map: the whole record from left to right, forward genes above the backbone.

import { Tracks, rounded } from "./map_shapes.js";
import { tracksDepth } from "./map_tracks.js";
import { tickPositions, tickStep, tickText } from "./map_scale.js";

const SIDE_PX = 16;
const RULER_PX = 26;
const LABELS_PX = 122; // for slanted names
const CLOSEST_BP = 300;
const TRACK_PX = 26;

export class LinearView {
  kind = "linear";

  constructor(model) {
    this.model = model;
    this.length = model.record.length;
    // A gene over the origin is drawn twice, at its own place and one turn before it; some
    // files join a gene over the ends of a record that they call linear.
    this.shifts = [0, -this.length];
    this.ends = [0, this.length];
    this.state = { start: 0, span: this.length };
  }

  layout(width) {
    const { 1: forward, [-1]: reverse } = this.model.lanes;
    const lane = Math.min(24, 420 / Math.max(1, forward + reverse));
    this.tracks = new Tracks(lane, lane > 12 ? 5 : 2, 7);
    this.width = width;
    const depth = (lanes) => this.tracks.depth(lanes) + (lanes ? LABELS_PX : 8);
    this.axis = Math.round(RULER_PX + depth(forward));
    this.genesEnd = Math.round(this.axis + depth(reverse) + 4);
    this.height = this.genesEnd + tracksDepth(this.model.tracks.length, TRACK_PX);
  }

  /** How far names reach from the lanes of their side. */
  get namesDepth() {
    return LABELS_PX - 14;
  }

  /** Nearest and furthest distance of each track from the backbone: below the genes. */
  trackBands(count) {
    return Array.from({ length: count }, (_, n) => {
      const near = this.genesEnd - this.axis + tracksDepth(n, TRACK_PX);
      return [near, near + TRACK_PX];
    });
  }

  // -- between bases and pixels

  pxPerBp() {
    return (this.width - 2 * SIDE_PX) / this.state.span;
  }

  bpPerPx() {
    return 1 / this.pxPerBp();
  }

  along(bp) {
    return SIDE_PX + (bp - this.state.start) * this.pxPerBp();
  }

  spotAt(x, y) {
    const bp = this.state.start + (x - SIDE_PX) * this.bpPerPx();
    return { bp, side: y < this.axis ? 1 : -1, away: Math.abs(y - this.axis) };
  }

  point(u, v, side) {
    return [u, this.axis - side * v];
  }

  turnAt() {
    return 0;
  }

  path(outline, side) {
    const corners = outline.map(([u, v]) => `${rounded(u)} ${rounded(this.axis - side * v)}`);
    return `M${corners.join("L")}Z`;
  }

  /** Bases in sight, with the margin on both sides. */
  range() {
    const margin = SIDE_PX * this.bpPerPx();
    return [this.state.start - margin, this.state.start + this.state.span + margin];
  }

  // -- what is in sight

  get whole() {
    return { start: 0, span: this.length };
  }

  get isWhole() {
    return this.state.span >= this.length;
  }

  clamp({ start, span }) {
    const kept = Math.min(this.length, Math.max(Math.min(CLOSEST_BP, this.length), span));
    return { start: Math.min(Math.max(0, start), this.length - kept), span: kept };
  }

  zoomed(factor, spot = null) {
    const [x, bp] = spot ? [spot.x, this.spotAt(spot.x, spot.y).bp] : this.#middle();
    const span = this.clamp({ start: 0, span: this.state.span / factor }).span;
    const share = (x - SIDE_PX) / (this.width - 2 * SIDE_PX);
    return this.clamp({ start: bp - share * span, span });
  }

  #middle() {
    return [this.width / 2, this.state.start + this.state.span / 2];
  }

  /** Closer to an item, or further off, with the item in the middle. */
  zoomedAround({ start, end }, factor) {
    const span = this.state.span / factor;
    return this.clamp({ start: (start + Math.min(end, this.length) - span) / 2, span });
  }

  /** The state in which a stretch fills the drawing. */
  window(start, end) {
    return this.clamp({ start, span: end - start });
  }

  panned(dx) {
    return this.clamp({ start: this.state.start - dx * this.bpPerPx(), span: this.state.span });
  }

  /** The window with a stretch in the middle, wide enough to see what is around. */
  around(start, end, leastPx) {
    const narrow = (end - start) * this.pxPerBp() < leastPx;
    const span = narrow ? Math.max(12 * (end - start), 4000) : Math.max(this.state.span, end - start);
    return this.clamp({ start: (start + Math.min(end, this.length)) / 2 - span / 2, span });
  }

  shows(start, end) {
    const [low, high] = [this.state.start, this.state.start + this.state.span];
    return start >= low && Math.min(end, this.length) <= high;
  }

  between(from, to, share) {
    const span = from.span * (to.span / from.span) ** share;
    const middle = (state) => state.start + state.span / 2;
    // The middle moves with the span, so that the eye follows one place.
    const done = from.span === to.span ? share : (from.span - span) / (from.span - to.span);
    return { start: middle(from) + (middle(to) - middle(from)) * done - span / 2, span };
  }

  /** First and last base in sight, 1-based. */
  sight() {
    const { start, span } = this.state;
    return [Math.floor(start) + 1, Math.min(this.length, Math.ceil(start + span))];
  }

  // -- ruler and labels

  ruler() {
    const step = tickStep(this.bpPerPx(), 96);
    const [first, last] = this.sight();
    const bottom = this.height;
    return tickPositions(first, last, step).map((position) => {
      const x = rounded(this.along(position - 0.5));
      const anchor = x < 40 ? "start" : x > this.width - 40 ? "end" : "middle";
      const inside = anchor === "start" ? x - 4 : anchor === "end" ? x + 4 : x;
      return {
        lines: [[x, RULER_PX - 8, x, RULER_PX - 2, "tick"], [x, RULER_PX - 2, x, bottom, "grid"]],
        text: { x: inside, y: RULER_PX - 12, anchor },
        label: tickText(position, step, this.length),
      };
    });
  }

  backbone() {
    const [left, right] = [this.along(0), this.along(this.length)];
    const from = rounded(Math.max(-8, left));
    const to = rounded(Math.min(this.width + 8, right));
    return [{ d: `M${from} ${this.axis}H${to}`, kind: "gm-backbone" }];
  }
}
