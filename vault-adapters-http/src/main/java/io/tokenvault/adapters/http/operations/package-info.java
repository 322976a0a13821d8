/**
 * The operator's view of a listener: the OpenAPI description and metrics that it serves, and
 * callbacks for finished and rejected requests. The server module implements them; they must return
 * immediately.
 */
package io.tokenvault.adapters.http.operations;
