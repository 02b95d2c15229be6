// Colours of the light theme for files, which have no style sheet to ask: the values of the
// custom properties of the same names.

export const LIGHT = {
  ink: "#1c2733",
  soft: "#55636f",
  line: "#dbe2e8",
  paper: "#ffffff",
  high: "#0b4f8a",
  moderate: "#00765a",
  low: "#8a5a00",
  speculative: "#a8431a",
  none: "#5b6670",
  "gm-head": "#226ce7",
  "gm-tail": "#49a844",
  "gm-lysis": "#b9510f",
  "gm-lysogeny": "#dc6c93",
  "gm-replication": "#9236a7",
  "gm-expression": "#29500d",
  "gm-defence": "#56204e",
  "gm-metabolism": "#320e9a",
  "gm-cell": "#8b8fcf",
  "gm-skew-above": "#00838f",
  "gm-skew-below": "#b5449a",
  "gm-on-pale": "#1c2733",
};
