/**
 * The description of the whole API in OpenAPI, read from resources. An end-to-end test compares it
 * with the routes.
 */
package io.tokenvault.server.openapi;
