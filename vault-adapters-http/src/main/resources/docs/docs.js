// This page can send requests to its own listener, which serves only a few of these operations.
const DATA = /^\/(tokens|tokenize|detokenize|proxy)(\/|$)/;
const SERVED = ["post /tokens", "get /tokens", "get /tokens/{id}"];

const OwnListener = () => ({
  statePlugins: {
    spec: {
      wrapSelectors: {
        allowTryItOutFor: () => (state, path, method) =>
          !DATA.test(path) || SERVED.includes(`${method} ${path}`),
      },
    },
  },
});

// The API key of "Authorize" is in the page's memory only, until it is closed or loaded again.
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  persistAuthorization: false,
  plugins: [OwnListener],
  validatorUrl: null,
});
