// Buttons above a map; what they do is also done by keys, wheel and touch.

function toolButton(parent, label, text, run) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.title = label;
  button.setAttribute("aria-label", label);
  button.addEventListener("click", run);
  parent.append(button);
  return button;
}

/** Buttons below a map that save it. */
export function fileButtons(wants) {
  const files = document.createElement("div");
  files.className = "gm-buttons gm-files";
  files.setAttribute("role", "group");
  files.setAttribute("aria-label", "Save the map");
  toolButton(files, "Save this view as PNG", "PNG of this view", () => wants.save("png", false));
  toolButton(files, "Save the whole map as PNG", "PNG of the whole map", () => wants.save("png", true));
  toolButton(files, "Save this view as SVG", "SVG", () => wants.save("svg", false));
  return files;
}

export class MapToolbar {
  showColours = () => {}; // there is nothing to choose where no gene has a category

  constructor(parent, model, wants) {
    this.element = document.createElement("div");
    this.element.className = "gm-toolbar";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", "Map");
    const zooming = this.#group();
    this.out = toolButton(zooming, "Zoom out (−)", "−", () => wants.zoom(1 / 2));
    this.in = toolButton(zooming, "Zoom in (+)", "+", () => wants.zoom(2));
    this.fit = toolButton(zooming, "Show the whole record (0)", "Fit", () => wants.fit());
    this.kinds = new Map();
    if (model.circular) {
      const kinds = this.#group();
      for (const [kind, text] of [["circular", "Circular"], ["linear", "Linear"]]) {
        const label = `${text} map`;
        this.kinds.set(kind, toolButton(kinds, label, text, () => wants.setView(kind)));
      }
    }
    if (model.hasCategories) this.#offerColours(model, wants);
    this.place = document.createElement("span");
    this.place.className = "gm-place";
    this.element.append(this.place);
    parent.append(this.element);
  }

  #offerColours(model, wants) {
    const colours = this.#group();
    colours.setAttribute("role", "group");
    colours.setAttribute("aria-label", "Colour by");
    const title = document.createElement("span");
    title.className = "gm-choice";
    title.textContent = "Colour by";
    title.setAttribute("aria-hidden", "true"); // the group says it
    colours.before(title);
    const choices = [["Confidence", false], ["Category", true]].map(([text, byCategory]) => {
      const choose = () => wants.chooseColours(byCategory);
      return [toolButton(colours, `Colour by ${text.toLowerCase()}`, text, choose), byCategory];
    });
    this.showColours = () =>
      choices.forEach(([button, one]) => button.setAttribute("aria-pressed", one === model.byCategory));
    this.showColours();
  }

  #group() {
    const group = document.createElement("div");
    group.className = "gm-buttons";
    this.element.append(group);
    return group;
  }

  update(view, place) {
    for (const [kind, button] of this.kinds) button.setAttribute("aria-pressed", kind === view.kind);
    for (const button of [this.out, this.fit]) {
      // Not disabled: a button that loses the focus while it is used cannot be used by keyboard.
      button.setAttribute("aria-disabled", view.isWhole);
    }
    this.place.textContent = place;
  }
}
