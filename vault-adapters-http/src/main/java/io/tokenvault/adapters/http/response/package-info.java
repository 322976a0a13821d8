/**
 * Responses and their JSON. Start with {@code ResponseWriter}, which sends complete responses,
 * {@code JsonRenderer}, one of the few classes that may expose sensitive values, and {@code
 * ProblemMapper}, the only place where failures become status codes.
 */
package io.tokenvault.adapters.http.response;
