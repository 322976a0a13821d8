// The samples of docs/getting-started.md, by a client that openapi-typescript generated.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

declare const process: { env: Record<string, string> };
const { VAULT, MANAGEMENT, DESTINATION } = process.env;

function client(key: string) {
  return createClient<paths>({ baseUrl: VAULT, headers: { "SVC-API-KEY": key } });
}

function data<T>(response: { data?: T; error?: unknown }): T {
  if (response.data === undefined) {
    throw new Error(JSON.stringify(response.error));
  }
  return response.data;
}

const management = client(MANAGEMENT);
const backend = client(
  data(
    await management.POST("/applications", {
      body: { name: "Shop backend", type: "private", permissions: ["token:create", "token:use"] },
    }),
  ).key,
);
const { id } = data(
  await backend.POST("/tokens", { body: { type: "card_number", data: "4242424242424242" } }),
);
const reader = client(
  data(
    await management.POST("/applications", {
      body: {
        name: "Card reader",
        type: "private",
        rules: [
          {
            description: "Reads cards",
            priority: 1,
            container: "/pci/",
            transform: "reveal",
            permissions: ["token:read"],
          },
        ],
      },
    }),
  ).key,
);
const token = data(await reader.GET("/tokens/{id}", { params: { path: { id } } }));
console.log("read", token.data);

const received = data(
  await backend.POST("/proxy", {
    params: { header: { "SVC-PROXY-URL": DESTINATION } },
    body: { card: `{{${id}}}` },
  }),
);
console.log("received", JSON.stringify(received));

const logs = data(await management.GET("/logs", { params: { query: { entity_id: id } } }));
console.log("recorded", logs.pagination.total_items, logs.data.at(-1)?.operation);
