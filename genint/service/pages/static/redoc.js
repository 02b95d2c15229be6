"use strict";
// The OpenAPI document as a page to read.
// Fonts of the system: none are fetched.
const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
Redoc.init(
  "/openapi.json",
  {
    hideDownloadButtons: false,
    expandResponses: "200,201",
    theme: {
      typography: {
        fontFamily,
        headings: { fontFamily },
        code: { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" },
      },
    },
  },
  document.getElementById("reader"),
);
