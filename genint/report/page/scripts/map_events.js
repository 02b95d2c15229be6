// Pointer, wheel, touch and keys on the drawing, as a few intentions: zoom, pan, point, choose.
// A plain wheel scrolls the page; with ctrl or cmd, or by pinching, it zooms.

const DRAG_PX = 4;
const PAN_KEY_PX = 90;
const WHEEL_SPEED = 0.0022;

/** Keys and what they do; those that do nothing now, and all others, stay the page's. */
function keyActions(wants) {
  const pan = (dx, dy) => () => wants.pan(dx, dy);
  return new Map([
    ["+", () => wants.zoom(1.6)], ["=", () => wants.zoom(1.6)],
    ["-", () => wants.zoom(1 / 1.6)], ["_", () => wants.zoom(1 / 1.6)],
    ["0", () => wants.fit()],
    ["ArrowLeft", pan(PAN_KEY_PX, 0)], ["ArrowRight", pan(-PAN_KEY_PX, 0)],
    ["ArrowUp", pan(0, PAN_KEY_PX)], ["ArrowDown", pan(0, -PAN_KEY_PX)],
    ["n", () => wants.step(1)], ["]", () => wants.step(1)],
    ["p", () => wants.step(-1)], ["[", () => wants.step(-1)],
    ["Home", () => wants.step(-Infinity)], ["End", () => wants.step(Infinity)],
    ["Enter", () => wants.chooseFocused()], [" ", () => wants.chooseFocused()],
    ["Escape", () => wants.leave()],
  ]);
}

export class MapEvents {
  constructor(frame, wants, signal) {
    this.frame = frame;
    this.wants = wants;
    this.pointers = new Map();
    this.moved = false;
    this.keys = keyActions(wants);
    const on = (name, run, options = {}) =>
      frame.addEventListener(name, (event) => run.call(this, event), { signal, ...options });
    on("wheel", this.#wheel, { passive: false });
    on("pointerdown", this.#down);
    on("pointermove", this.#move);
    on("pointerup", this.#up);
    on("pointercancel", this.#cancel);
    on("pointerleave", (event) => event.pointerType !== "touch" && wants.pointAt(null));
    on("dblclick", (event) => wants.zoom(2.5, this.#spot(event)));
    on("keydown", this.#key);
  }

  #spot(event) {
    const box = this.frame.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #wheel(event) {
    const line = event.deltaMode === 1 ? 16 : 1;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const notch = Math.max(-240, Math.min(240, event.deltaY * line));
      // Pinching sends many small steps, a wheel few large ones.
      const speed = Math.abs(notch) < 40 ? WHEEL_SPEED * 4 : WHEEL_SPEED;
      this.wants.zoom(Math.exp(-notch * speed), this.#spot(event), true);
      return;
    }
    const across = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    if (Math.abs(across) > Math.abs(event.shiftKey ? 0 : event.deltaY) && this.wants.canPan()) {
      event.preventDefault();
      this.wants.pan(-across * line, 0, true);
    }
  }

  #down(event) {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, this.#spot(event));
    if (this.pointers.size === 1) this.moved = false;
  }

  #move(event) {
    const spot = this.#spot(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") this.wants.pointAt(spot, event);
      return;
    }
    const [dx, dy] = [spot.x - before.x, spot.y - before.y];
    if (!this.moved && Math.hypot(dx, dy) < DRAG_PX) return;
    if (!this.moved) {
      this.moved = true;
      this.frame.setPointerCapture(event.pointerId);
      this.wants.pointAt(null);
    }
    if (this.pointers.size === 2) this.#pinch(event.pointerId, before, spot);
    else this.wants.pan(dx, dy, true);
    this.pointers.set(event.pointerId, spot);
    this.frame.classList.add("gm-dragging");
  }

  #pinch(id, before, spot) {
    const [, other] = [...this.pointers].find(([one]) => one !== id);
    const apart = (one) => Math.max(10, Math.hypot(one.x - other.x, one.y - other.y));
    const middle = { x: (spot.x + other.x) / 2, y: (spot.y + other.y) / 2 };
    this.wants.zoom(apart(spot) / apart(before), middle, true);
    this.wants.pan((spot.x - before.x) / 2, (spot.y - before.y) / 2, true);
  }

  #up(event) {
    const known = this.pointers.delete(event.pointerId);
    this.frame.classList.remove("gm-dragging");
    if (known && !this.moved && this.pointers.size === 0) {
      this.wants.choose(this.#spot(event), event.pointerType === "touch" ? 14 : 4, event);
    }
  }

  #cancel(event) {
    this.pointers.delete(event.pointerId);
    this.frame.classList.remove("gm-dragging");
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.keys.get(event.key);
    if (act && act() !== false) event.preventDefault();
  }
}
