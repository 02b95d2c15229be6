"use strict";
// The OpenAPI document as forms that can be tried out.
// validatorUrl: null, since the validator would be queried on another host.
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reader",
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
