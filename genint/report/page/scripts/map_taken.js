// Places of a drawing that are taken, so that names do not lie on one another.

/** Boxes that are taken, in cells of a grid so that a look-up is quick however many there are. */
export class TakenBoxes {
  constructor(cell = 48) {
    this.cell = cell;
    this.cells = new Map();
  }

  *#keys([left, top, right, bottom]) {
    for (let x = Math.floor(left / this.cell); x <= Math.floor(right / this.cell); x += 1) {
      for (let y = Math.floor(top / this.cell); y <= Math.floor(bottom / this.cell); y += 1) {
        yield `${x} ${y}`;
      }
    }
  }

  isFree(box) {
    const [left, top, right, bottom] = box;
    for (const key of this.#keys(box)) {
      for (const taken of this.cells.get(key) || []) {
        if (left < taken[2] && taken[0] < right && top < taken[3] && taken[1] < bottom) return false;
      }
    }
    return true;
  }

  take(box) {
    for (const key of this.#keys(box)) {
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key).push(box);
    }
  }
}
