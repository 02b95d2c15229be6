// The circular map: base 1 at the top, clockwise, forward genes outside the backbone. Zooming
// makes the circle larger and leaves the lanes as thick as they are, so that single genes can
// be seen; the part of the circle that is in sight then looks almost straight.

import { Tracks, rounded } from "./map_shapes.js";
import { ringBackbone, ringCaption, ringLabelSpot, ringRuler, ringTrackBands } from "./map_ring.js";

const TURN = 2 * Math.PI;
const TOP = -Math.PI / 2; // the angle of base 1
const CLOSEST_PX_PER_BP = 4;
const MOST_HIGH = 580;
const MOST_HIGH_WITH_TRACKS = 680;

export class CircularView {
  kind = "circular";
  #state = { zoom: 1, angle: TOP, away: 0 };

  constructor(model) {
    this.model = model;
    this.length = model.record.length;
    this.shifts = [-this.length, 0, this.length];
    this.ends = null;
  }

  layout(width) {
    const lanes = this.model.lanes;
    const most = this.model.tracks.length ? MOST_HIGH_WITH_TRACKS : MOST_HIGH;
    const height = Math.round(Math.min(Math.max(300, width * 0.96), most));
    const pitch = Math.min(width < 500 ? 17 : 24, (height * 0.24) / Math.max(2, lanes[1] + lanes[-1]));
    this.tracks = new Tracks(pitch * 0.82, pitch * 0.18, 5);
    this.width = width;
    this.height = height;
    const room = Math.min(width / 2 - (width < 500 ? 36 : 72), height / 2 - 22);
    const before = this.fitRadius;
    this.fitRadius = Math.max(40, room - this.tracks.depth(lanes[1]));
    const { zoom, angle, away } = this.state;
    this.state = this.clamp({ zoom, angle, away: before ? (away * this.fitRadius) / before : away });
  }

  // -- between bases and pixels. The state is a zoom, the angle of the circle that is nearest
  //    to the middle of the box, and how far the circle's centre lies from that middle.

  get state() {
    return this.#state;
  }

  set state(state) {
    const { zoom, angle, away } = state;
    this.#state = state;
    this.radius = this.fitRadius * zoom;
    this.centre = [this.width / 2 - away * Math.cos(angle), this.height / 2 - away * Math.sin(angle)];
  }

  pxPerBp() {
    return (TURN * this.radius) / this.length;
  }

  bpPerPx() {
    return 1 / this.pxPerBp();
  }

  along(bp) {
    return bp * this.pxPerBp();
  }

  angleOf(bp) {
    return TOP + (TURN * bp) / this.length;
  }

  bpOf(angle) {
    const turns = (angle - TOP) / TURN;
    return (turns - Math.floor(turns)) * this.length;
  }

  spotAt(x, y) {
    const [cx, cy] = this.centre;
    const distance = Math.hypot(x - cx, y - cy) - this.radius;
    const bp = this.bpOf(Math.atan2(y - cy, x - cx));
    return { bp, side: distance >= 0 ? 1 : -1, away: Math.abs(distance) };
  }

  point(u, v, side) {
    return this.at(TOP + u / this.radius, this.radius + side * v);
  }

  at(angle, distance) {
    const [cx, cy] = this.centre;
    return [cx + distance * Math.cos(angle), cy + distance * Math.sin(angle)];
  }

  /** Degrees by which text along the circle is turned so that it is not upside down. */
  turnAt(u) {
    const turned = (((TOP + u / this.radius) * 360) / TURN + 90 + 720) % 360;
    return turned > 90 && turned < 270 ? turned - 180 : turned;
  }

  /**
   * An outline along the circle. Edges along it become Bézier curves of at most an eighth of a
   * turn: arcs of SVG lose their accuracy at the radii that deep zooms reach.
   */
  path(outline, side) {
    const pieces = [];
    outline.forEach(([u, v], n) => {
      const [, before] = outline[n - 1] || [u, null];
      const [x, y] = this.point(u, v, side);
      if (n === 0) pieces.push(`M${rounded(x)} ${rounded(y)}`);
      else if (v === before) pieces.push(this.curve(outline[n - 1][0], u, this.radius + side * v));
      else pieces.push(`L${rounded(x)} ${rounded(y)}`);
    });
    const [first, last] = [outline[0], outline[outline.length - 1]];
    if (first[1] === last[1]) pieces.push(this.curve(last[0], first[0], this.radius + side * first[1]));
    return `${pieces.join("")}Z`;
  }

  curve(from, to, distance) {
    const sweep = (to - from) / this.radius;
    const steps = Math.max(1, Math.ceil(Math.abs(sweep) / (TURN / 8)));
    const bulge = distance * (1 - Math.cos(sweep / steps / 2));
    const reach = (4 / 3) * Math.tan(sweep / steps / 4) * distance;
    let text = "";
    for (let n = 0; n < steps; n += 1) {
      const start = TOP + from / this.radius + (sweep * n) / steps;
      const end = start + sweep / steps;
      const [x0, y0] = this.at(start, distance);
      const [x3, y3] = this.at(end, distance);
      const corners = bulge < 0.05
        ? [x3, y3]
        : [
            x0 - reach * Math.sin(start), y0 + reach * Math.cos(start),
            x3 + reach * Math.sin(end), y3 - reach * Math.cos(end), x3, y3,
          ];
      text += (corners.length > 2 ? "C" : "L") + corners.map(rounded).join(" ");
    }
    return text;
  }

  /** Bases in sight: the whole circle, or the sector in which the box lies. */
  range() {
    const [cx, cy] = this.centre;
    if (cx > 0 && cx < this.width && cy > 0 && cy < this.height) return [0, this.length];
    const toward = Math.atan2(this.height / 2 - cy, this.width / 2 - cx);
    const [toX, toY] = [Math.cos(toward), Math.sin(toward)];
    const angles = [[0, 0], [1, 0], [0, 1], [1, 1]].map(([right, down]) => {
      const [x, y] = [right * this.width - cx, down * this.height - cy];
      return Math.atan2(toX * y - toY * x, toX * x + toY * y);
    });
    const middle = this.bpOf(toward);
    const bpOf = (angle) => middle + (angle * this.length) / TURN;
    return [bpOf(Math.min(...angles)), bpOf(Math.max(...angles))];
  }

  // -- what is in sight

  get whole() {
    return { zoom: 1, angle: TOP, away: 0 };
  }

  get isWhole() {
    return this.state.zoom <= 1;
  }

  /** The circle always passes near the middle of the box: one cannot get lost in its inside. */
  clamp({ zoom, angle, away }) {
    const most = Math.max(1, (CLOSEST_PX_PER_BP * this.length) / (TURN * this.fitRadius));
    const kept = Math.min(most, Math.max(1, zoom));
    const radius = this.fitRadius * kept;
    const extra = radius - this.fitRadius;
    return { zoom: kept, angle, away: Math.min(Math.max(extra, away), radius, 2 * extra) };
  }

  #moved(zoom, cx, cy) {
    const [dx, dy] = [this.width / 2 - cx, this.height / 2 - cy];
    const away = Math.hypot(dx, dy);
    return this.clamp({ zoom, angle: away > 1e-9 ? Math.atan2(dy, dx) : this.state.angle, away });
  }

  zoomed(factor, spot = null) {
    const zoom = this.clamp({ ...this.state, zoom: this.state.zoom * factor }).zoom;
    if (!spot) return this.clamp({ zoom, angle: this.state.angle, away: Infinity });
    const [cx, cy] = this.centre;
    const angle = Math.atan2(spot.y - cy, spot.x - cx);
    const distance = Math.hypot(spot.x - cx, spot.y - cy) + this.fitRadius * zoom - this.radius;
    return this.#moved(zoom, spot.x - distance * Math.cos(angle), spot.y - distance * Math.sin(angle));
  }

  zoomedAround({ start, end }, factor) {
    return this.clamp({
      zoom: this.state.zoom * factor, angle: this.angleOf((start + end) / 2), away: Infinity,
    });
  }

  window(start, end) {
    const zoom = (this.#zoomFor(end - start) * this.width) / this.height;
    return this.clamp({ zoom, angle: this.angleOf((start + end) / 2), away: Infinity });
  }

  panned(dx, dy) {
    const [cx, cy] = this.centre;
    return this.#moved(this.state.zoom, cx + dx, cy + dy);
  }

  around(start, end, leastPx) {
    const narrow = (end - start) * this.pxPerBp() < leastPx;
    const zoom = narrow
      ? this.#zoomFor(Math.max(12 * (end - start), 4000))
      : Math.min(this.state.zoom, this.#zoomFor(1.2 * (end - start)));
    return this.clamp({ zoom, angle: this.angleOf((start + end) / 2), away: Infinity });
  }

  /** The zoom at which so many bases are about as long as the box is high. */
  #zoomFor(bases) {
    return (this.height * this.length) / (TURN * this.fitRadius * bases);
  }

  shows(start, end) {
    return [start, (start + end) / 2, end].every((bp) => {
      const [x, y] = this.at(this.angleOf(bp), this.radius);
      return x >= 0 && x <= this.width && y >= 0 && y <= this.height;
    });
  }

  between(from, to, share) {
    const zoom = from.zoom * (to.zoom / from.zoom) ** share;
    let turn = (to.angle - from.angle) % TURN;
    if (turn > Math.PI) turn -= TURN;
    if (turn < -Math.PI) turn += TURN;
    const extra = (state) => state.away - this.fitRadius * (state.zoom - 1);
    const beyond = extra(from) + (extra(to) - extra(from)) * share;
    const away = this.fitRadius * (zoom - 1) + beyond;
    return this.clamp({ zoom, angle: from.angle + turn * share, away });
  }

  /** First and last base in sight, 1-based; the last is smaller over the origin. */
  sight() {
    const [low, high] = this.range();
    if (high - low >= this.length) return [1, this.length];
    const onCircle = (bp) => ((Math.floor(bp) % this.length) + this.length) % this.length;
    return [onCircle(low) + 1, onCircle(high) + 1];
  }

  // -- ruler and labels

  ruler() {
    return ringRuler(this);
  }

  backbone() {
    return ringBackbone(this);
  }

  trackBands(count) {
    return ringTrackBands(this, count);
  }

  labelSpot(u, far, side, width) {
    return ringLabelSpot(this, u, far, side, width);
  }

  get tiers() {
    return 1;
  }

  caption() {
    return ringCaption(this);
  }
}
