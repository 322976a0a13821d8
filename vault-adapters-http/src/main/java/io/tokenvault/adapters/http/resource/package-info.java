/**
 * One class for each resource of the API. Start with {@code Router}: it authenticates the caller,
 * then calls the route with what the request may do. Routes convert between JSON and use cases and
 * decide nothing.
 */
package io.tokenvault.adapters.http.resource;
