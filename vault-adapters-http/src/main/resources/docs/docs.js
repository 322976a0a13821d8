// Reads only: a key is not to be typed into a page of documentation.
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
});
