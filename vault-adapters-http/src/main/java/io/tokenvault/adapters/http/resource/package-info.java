/**
 * One class for each resource of the API. Start with {@code Router}: it authenticates and
 * authorizes the caller, then calls the action of the route. Routes convert between JSON and use
 * cases and make no decisions of their own.
 */
package io.tokenvault.adapters.http.resource;
