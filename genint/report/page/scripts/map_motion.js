// Moving from one state of a view to another: a short glide, or at once where that is requested.

const MOVE_MS = 220;

export class MapMotion {
  constructor(changed) {
    this.changed = changed;
    this.frame = 0;
    this.arrive = () => {};
  }

  get isMoving() {
    return this.frame !== 0;
  }

  /** A new motion ends the one before. Readers who want no motion get none. */
  go(view, state, atOnce) {
    this.stop();
    const [from, to] = [view.state, view.clamp(state)];
    this.arrive = () => {
      view.state = to;
      this.changed();
    };
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (atOnce || still) {
      this.arrive();
      return;
    }
    let begun = null;
    const step = (now) => {
      begun = begun ?? now;
      const share = Math.min(1, (now - begun) / MOVE_MS);
      view.state = share < 1 ? view.between(from, to, 1 - (1 - share) ** 3) : to;
      this.frame = share < 1 ? requestAnimationFrame(step) : 0;
      this.changed();
    };
    this.frame = requestAnimationFrame(step);
  }

  /** Is where it was going at once: what comes next starts from there. */
  finish() {
    if (!this.isMoving) return;
    this.stop();
    this.arrive();
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }
}
