/**
 * Responses and their JSON. Start with {@code ResponseWriter}, which sends complete responses, and
 * {@code ProblemMapper}, the only place where failures become status codes.
 */
package io.tokenvault.adapters.http.response;
