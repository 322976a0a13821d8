// Only the main listener serves these; this page can send requests to its own listener.
const ELSEWHERE = /^\/(tokens|tokenize|detokenize|proxy)(\/|$)/;

const OwnListener = () => ({
  statePlugins: {
    spec: {
      wrapSelectors: {
        allowTryItOutFor: () => (state, path) => !ELSEWHERE.test(path),
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
