// Choices of the reader that outlive the visit, where the browser lets pages keep anything: some
// forbid it for files, and readers can forbid it for all. Then a choice holds for the visit.

/** The choice that was kept under a name; the first of the allowed ones where none was. */
export function keptChoice(name, allowed) {
  try {
    const found = localStorage.getItem(name);
    return allowed.includes(found) ? found : allowed[0];
  } catch {
    return allowed[0];
  }
}

export function keepChoice(name, choice) {
  try {
    localStorage.setItem(name, choice);
  } catch {
    // not kept
  }
}
