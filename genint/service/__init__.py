"""The HTTP service: routes, middleware, uploads, OpenAPI and pages."""
